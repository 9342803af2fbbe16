import { createLinker, TAKEN } from '../../packages/server/src/identify/linker.ts'
import { memoryDevices } from '../../packages/server/src/identify/relink.ts'
import type { LinkWeights } from '../../packages/server/src/identify/weights.ts'
import type { Linker } from './linker.ts'

/** Inkling's own linker over devices kept in memory. */
export function inkling(weights?: LinkWeights): Linker {
  const devices = memoryDevices()
  const linker = createLinker(devices, weights)
  return {
    name: 'Inkling',
    link: (visit) =>
      linker.link(visit, ({ identity, write }) =>
        Promise.resolve(write && !devices.apply(write) ? TAKEN : identity.deviceId),
      ),
  }
}
