import { createLinker, type Linked, TAKEN } from '../../packages/server/src/identify/linker.ts'
import { memoryDevices } from '../../packages/server/src/identify/relink.ts'
import type { LinkWeights } from '../../packages/server/src/identify/weights.ts'
import type { Linker } from './linker.ts'

/**
 * Inkling's own linker over devices kept in memory.
 * @param falseMergeCost what the domain says that a false merge costs
 */
export function inkling(weights?: LinkWeights, falseMergeCost?: number): Linker {
  const devices = memoryDevices()
  const linker = createLinker(devices, weights)
  let searched: Linked['searched']
  return {
    name: 'Inkling',
    link: (visit) =>
      linker.link({ ...visit, domain: { ...visit.domain, falseMergeCost } }, (linked) => {
        searched = linked.searched
        return Promise.resolve(
          linked.write && !devices.apply(linked.write) ? TAKEN : linked.identity.deviceId,
        )
      }),
    lastSearch: () => searched && { id: searched.deviceId, probability: searched.probability },
    learn: ({ cookieId }, isPrivate) => linker.learnWindow(cookieId, isPrivate),
  }
}
