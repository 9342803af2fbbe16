import { randomUUID } from 'node:crypto'
import type { SearchType } from '@inkling/contract'
import { createQueryId } from 'kysely'
import { expect, test } from 'vitest'
import { recorder } from '../../../test/account/query-plans.ts'
import { identified } from '../../../test/identified.ts'
import { temporaryStore } from '../../../test/temporary-store.ts'
import { HOUR_MS } from '../../lib/durations.ts'
import { uuidBytesOrNil } from '../../lib/uuid.ts'
import { score } from '../../score/score.ts'
import type { Identified } from '../../visit/identification.ts'
import { identificationRow } from '../identifications/identification-row.ts'
import { decompressSnapshot, snapshotOf } from '../identifications/snapshots.ts'
import { erase } from './erase.ts'
import { stickyMentions } from './sticky-mentions.ts'

const VERDICT = { name: 'antidetect_browser', description: 'Antidetect browser' }

/** A device whose verdicts carry over to later visits. */
async function sharedDevice() {
  const { store, domainId } = await temporaryStore()
  const identity = { ...identified().identity, deviceId: randomUUID() }
  const place = { ...identified().domain, id: domainId }
  async function visit(given: Partial<Identified>, leavesVerdict = false): Promise<string> {
    const scored = score(identified({ requestId: randomUUID(), domain: place, identity, ...given }))
    const row = identificationRow(scored)
    const sticky = {
      domain_id: domainId,
      device_id: row.device_id,
      address: scored.address,
      cookie_key: null,
      ...VERDICT,
      request_id: uuidBytesOrNil(scored.requestId),
      created_at: scored.atMs,
    }
    const stored = { row, snapshot: snapshotOf(scored), outbox: [] }
    await store.commit({ type: 'identification', ...stored, sticky: leavesVerdict ? sticky : undefined })
    return scored.requestId
  }
  return {
    store,
    domainId,
    deviceId: identity.deviceId,
    left: (given: Partial<Identified> = {}) => visit(given, true),
    naming: (requestId: string, given: Partial<Identified> = {}) =>
      visit({ ...given, sticky: { ...VERDICT, requestId } }),
    async idOf(requestId: string) {
      const { id } = await store.reads
        .selectFrom('identifications')
        .select('id')
        .where('request_id', '=', uuidBytesOrNil(requestId))
        .executeTakeFirstOrThrow()
      return id
    },
    /** Everything that is stored of visits, as text. */
    async texts() {
      const rows = await store.reads.selectFrom('identifications').select('verdict').execute()
      const snapshots = await store.reads.selectFrom('snapshots').select('body').execute()
      return [...rows.map(({ verdict }) => verdict), ...snapshots.map(({ body }) => decompressSnapshot(body))]
    },
    /** @returns how often the visits of a device were searched, outside of write transactions and in them */
    async searchesOf(type: SearchType, value: string) {
      const [reads, writes] = [recorder(), recorder()]
      const jobReads = store.jobReads.withPlugin(reads)
      const longWrites = store.longWrites.withPlugin(writes)
      await erase({ ...store, jobReads, longWrites }, domainId, { type, value })
      return [reads, writes].map(({ seen }) => {
        const queries = seen.map((node) => store.reads.getExecutor().compileQuery(node, createQueryId()).sql)
        return queries.filter((text) => /"device_id" = .*"verdict" like/.test(text)).length
      })
    },
  }
}

test('an erasure searches the visits of a device once, however many of its verdicts they name', async () => {
  const { left, naming, searchesOf, texts } = await sharedDevice()
  const erased: string[] = []
  for (let verdicts = 0; verdicts < 5; verdicts++) {
    const requestId = await left({ userHid: 'ada' })
    await naming(requestId, { userHid: 'ben' })
    await naming(requestId, { userHid: 'eve' })
    erased.push(requestId)
  }
  const kept = await left({ userHid: 'ben' })
  await naming(kept, { userHid: 'eve' })

  expect(await searchesOf('user_hid', 'ada')).toEqual([1, 1])
  const after = await texts()
  expect(after).toHaveLength(2 * 12)
  for (const requestId of erased) expect(after.join()).not.toContain(requestId)
  expect(after.filter((text) => text.includes(kept))).not.toEqual([])
})

test('an erasure of a device does not search visits that go anyway', async () => {
  const { left, naming, searchesOf, texts, deviceId } = await sharedDevice()
  await naming(await left())
  expect(await searchesOf('device_id', deviceId.toUpperCase())).toEqual([0, 0])
  expect(await texts()).toEqual([])
})

test('a visit that comes after its device was searched is found in the transaction that removes what it names', async () => {
  const { store, domainId, left, naming, idOf } = await sharedDevice()
  const atMs = identified().atMs
  const requestId = await left({ atMs: atMs - HOUR_MS })
  const other = await left({ atMs: atMs - HOUR_MS, address: '192.0.2.9' })
  const early = await naming(requestId, { atMs: atMs - HOUR_MS })
  const newest = await naming(requestId, { atMs })
  await naming(other, { atMs })
  const rows = [{ request_id: uuidBytesOrNil(requestId) }, { request_id: null }]
  const sticky = stickyMentions(store.jobReads, domainId, undefined)
  const [earlyId, newestId] = [await idOf(early), await idOf(newest)]
  expect(await sticky.of(rows)).toEqual(new Map([[requestId, [earlyId, newestId]]]))

  const late = await naming(requestId, { atMs: atMs + 1 })
  const since = await store.longWrites.transaction().execute((transaction) => sticky.since(transaction, rows))
  expect(since).toEqual(new Map([[requestId, [newestId, await idOf(late)]]]))
})
