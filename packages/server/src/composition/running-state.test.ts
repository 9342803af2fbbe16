import { expect, test } from 'vitest'
import { temporaryStore } from '../../test/temporary-store.ts'
import { openIpDatabase } from '../enrich/ip/ip-facts.ts'
import { readConfig } from './config.ts'
import { createRunningState } from './running-state.ts'

const ASN_FILE = new URL('../../data/asn.bin', import.meta.url).pathname

test('the installation is probed once in ten seconds, however many ask, and by a clock that was set back', async () => {
  const { store, directory } = await temporaryStore()
  const { lookUp } = openIpDatabase({ asnFile: ASN_FILE })
  let nowMs = Date.UTC(2026, 10, 21)
  let probes = 0
  const { installation } = createRunningState(
    { config: readConfig({ DATA_DIR: directory }), now: () => nowMs },
    {
      store,
      budget: { limits: () => [] } as never,
      network: { sources: [], followUps: { pending: () => 0 } },
      lookUpIp(address) {
        probes += 1
        return lookUp(address)
      },
    },
  )
  const all = await Promise.all([installation(), installation()])
  expect(all[0]).toContainEqual({ check: 'data directory', ok: true, detail: directory })
  nowMs += 9_999
  expect(await installation()).toBe(all[1])
  expect(probes).toBe(1)
  nowMs += 1
  await installation()
  expect(probes).toBe(2)
  nowMs -= 60_000
  await installation()
  expect(probes).toBe(3)
})
