import { randomUUID } from 'node:crypto'
import { NIL_UUID } from '@inkling/contract'
import { expect, test, vi } from 'vitest'
import { decision, identified } from '../../../test/identified.ts'
import { temporaryStore } from '../../../test/temporary-store.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { uuidBytesOrNil } from '../../lib/uuid.ts'
import { score } from '../../score/score.ts'
import type { Scored } from '../../visit/identification.ts'
import { bumpForRemovedVerdicts, domainStore } from '../domains/domains.ts'
import { identificationRow } from './identification-row.ts'
import { openStickyVerdicts } from './sticky-verdicts.ts'

const ENTRY = {
  name: 'antidetect_browser',
  description: 'Antidetect browser (x)',
  weight: 60,
  value: 60,
  evidence: {},
}

test('a verdict that another node commits late is found, though newer ones were read before', async () => {
  const { store, domainId } = await temporaryStore()
  const visit = (address: string) =>
    identified({ address, requestId: randomUUID(), domain: { ...identified().domain, id: domainId } })
  const [late, early] = [visit('192.0.2.1'), visit('192.0.2.2')]
  const sticky = await openStickyVerdicts(store.reads, () => early.atMs)
  const commit = (id: number, { requestId, identity, address, atMs }: typeof late) =>
    store.writes
      .insertInto('sticky_verdicts')
      .values({
        id,
        domain_id: domainId,
        device_id: uuidBytesOrNil(identity.deviceId),
        address,
        name: 'antidetect_browser',
        description: 'Antidetect browser (x)',
        request_id: uuidBytesOrNil(requestId),
        created_at: atMs,
      })
      .execute()

  await commit(7, early)
  await sticky.refresh()
  await commit(6, late)
  await sticky.refresh()
  expect(sticky.find(early)).toMatchObject({ requestId: early.requestId })
  expect(sticky.find(late)).toMatchObject({ requestId: late.requestId })
})

test('a verdict of a cookie applies to that cookie alone, also after a restart', async () => {
  const { store, domainId } = await temporaryStore()
  const domain = { ...identified().domain, id: domainId }
  const owner = identified({ domain, cookieId: randomUUID() })
  const imitator = identified({ domain, cookieId: randomUUID(), requestId: randomUUID() })
  const identity = { ...imitator.identity, decision: decision({ isByLook: true }) }
  const entries = [ENTRY]
  const scored: Scored = { ...imitator, identity, verdict: { ...score(imitator).verdict, entries } }
  const running = await openStickyVerdicts(store.reads, () => owner.atMs)
  const change = running.changeOf(scored)
  const row = identificationRow(scored)
  await store.commit({ type: 'identification', row, snapshot: undefined, outbox: [], sticky: change.sticky })
  running.remember(scored, change)
  expect(running.changeOf(scored).sticky).toBeUndefined()

  for (const sticky of [running, await openStickyVerdicts(store.reads, () => owner.atMs)]) {
    expect(sticky.find({ ...imitator, identity: owner.identity })).toMatchObject({
      requestId: imitator.requestId,
    })
    expect(sticky.find(owner)).toBeUndefined()
    expect(sticky.find({ ...owner, cookieId: NIL_UUID })).toBeUndefined()
  }
  running.remember(scored, { sticky: undefined, withdrawsSticky: true })
  expect(running.find(scored)).toBeUndefined()
})

test('a verdict applies in the whole /64 of an IPv6 address, and at no other IPv4 address', async () => {
  const { store } = await temporaryStore()
  const sticky = await openStickyVerdicts(store.reads, () => identified().atMs)
  const at = (address: string) => score(identified({ address }))
  for (const address of ['2001:db8:1:2::3', '192.0.2.1']) {
    const visit = at(address)
    const scored = { ...visit, verdict: { ...visit.verdict, entries: [ENTRY] } }
    sticky.remember(scored, sticky.changeOf(scored))
  }
  const isFoundAt = (address: string) => sticky.find(at(address)) !== undefined
  expect(['2001:db8:1:2::3', '2001:db8:1:2:a:b:c:d', '192.0.2.1'].map(isFoundAt)).toEqual([true, true, true])
  expect(['2001:db8:1:3::3', '192.0.2.2'].map(isFoundAt)).toEqual([false, false])
})

/** A domain with many verdicts, each of another address, and a count of those that are read. */
async function manyVerdicts(count: number, cacheMax?: number) {
  const { store, domainId } = await temporaryStore()
  const clock = { nowMs: identified().atMs }
  const visit = (index: number) =>
    identified({
      address: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
      domain: { ...identified().domain, id: domainId },
      atMs: clock.nowMs,
    })
  for (let from = 0; from < count; from += INSERTED)
    await store.writes
      .insertInto('sticky_verdicts')
      .values(
        Array.from({ length: Math.min(INSERTED, count - from) }, (_, index) => {
          const { identity, address, requestId, atMs } = visit(from + index)
          return {
            domain_id: domainId,
            device_id: uuidBytesOrNil(identity.deviceId),
            address,
            name: ENTRY.name,
            description: ENTRY.description,
            request_id: uuidBytesOrNil(requestId),
            created_at: atMs,
          }
        }),
      )
      .execute()
  /** `held` keeps back a page that is not full. */
  const read = { rows: 0, largest: 0, held: Promise.resolve() }
  const db = store.reads.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      const verdicts = result.rows.filter((row) => 'address' in row).length
      read.rows += verdicts
      read.largest = Math.max(read.largest, verdicts)
      if (verdicts > 0 && verdicts < INSERTED) await read.held
      return result
    },
  })
  return {
    store,
    domainId,
    clock,
    visit,
    read,
    sticky: await openStickyVerdicts(db, () => clock.nowMs, cacheMax),
  }
}

/** As many as a page has; far fewer parameters than the engines take. */
const INSERTED = 1_000

test('a change of a domain has no server read all verdicts again, and a removed one has', async () => {
  const { store, domainId, visit, read, sticky } = await manyVerdicts(2_500)
  expect(read).toMatchObject({ rows: 2_500, largest: 1_000 })
  expect(sticky.find(visit(0))).toBeDefined()

  read.rows = 0
  await domainStore(store.writes).change(domainId, { enabled: 1 })
  await sticky.refresh()
  expect(read.rows).toBeLessThanOrEqual(1_000)
  expect(sticky.find(visit(0))).toBeDefined()

  await store.writes.deleteFrom('sticky_verdicts').where('address', '=', visit(0).address).execute()
  await bumpForRemovedVerdicts(store.writes)
  await domainStore(store.writes).change(domainId, { enabled: 1 })
  await sticky.refresh()
  expect(sticky.find(visit(0))).toBeUndefined()
  expect(sticky.find(visit(1))).toBeDefined()
})

test('verdicts apply while they are read anew, and what comes or is withdrawn meanwhile is not lost', async () => {
  const { store, visit, read, sticky } = await manyVerdicts(1_500)
  const [added, withdrawn] = [score({ ...visit(9_000), requestId: randomUUID() }), score(visit(3))]
  const entries = [ENTRY]
  const found = { ...added, verdict: { ...added.verdict, entries } }
  const pause = Promise.withResolvers<void>()
  read.held = pause.promise
  await bumpForRemovedVerdicts(store.writes)
  const refreshed = sticky.refresh()
  // The second page is held, so the first one was taken over.
  await vi.waitFor(() => expect(read.rows).toBe(1_500 + 1_500))
  expect(sticky.find(visit(0))).toBeDefined()
  sticky.remember(found, sticky.changeOf(found))
  sticky.remember(withdrawn, { sticky: undefined, withdrawsSticky: true })
  pause.resolve()
  await refreshed
  expect(sticky.find(found)).toMatchObject({ requestId: found.requestId })
  expect(sticky.find(withdrawn)).toBeUndefined()
  expect(sticky.find(visit(0))).toBeDefined()
})

test('of more verdicts than fit in memory only the newest are read', async () => {
  const { visit, read, sticky } = await manyVerdicts(1_500, 1_200)
  expect(read.rows).toBe(1_200)
  const isFound = (index: number) => sticky.find(visit(index)) !== undefined
  expect([0, 299, 300, 1_499].map(isFound)).toEqual([false, false, true, true])
})

test('verdicts that have expired since the start are not read again', async () => {
  const { store, clock, read, sticky } = await manyVerdicts(3)
  clock.nowMs += 31 * DAY_MS
  read.rows = 0
  await bumpForRemovedVerdicts(store.writes)
  await sticky.refresh()
  expect(read.rows).toBe(0)
})
