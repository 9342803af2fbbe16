import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { recordOf, storeVisit } from '../../../test/account/stored-visits.ts'
import { claimEvents } from '../../../test/claim-events.ts'
import { temporaryStore } from '../../../test/temporary-store.ts'
import { uuidToText } from '../../lib/uuid.ts'
import { erase } from '../erasure/erase.ts'
import { deliveryStore, endpointsWithDue, oldestDue, outboxStore } from './outbox.ts'

const NOW = Date.UTC(2026, 10, 21)

test('concurrent claims get different entries, each at most its limit', async () => {
  const { store, domainId } = await temporaryStore()
  const bytes = new Uint8Array(16)
  const entry = { domain_id: domainId, endpoint_id: 1, request_id: bytes, event_id: bytes, body: bytes }
  await store.writes
    .insertInto('outbox')
    .values(Array.from({ length: 40 }, (_, index) => ({ ...entry, attempts: 0, due_at: NOW - index })))
    .execute()

  const claims = await Promise.all(Array.from({ length: 6 }, () => claimEvents(store, NOW, NOW + 60_000, 5)))
  const claimed = claims.flat().map(({ id }) => id)
  expect(claims.every((claim) => claim.length <= 5)).toBe(true)
  expect(new Set(claimed).size).toBe(claimed.length)
  const [rest, none] = [
    await claimEvents(store, NOW, NOW + 60_000),
    await claimEvents(store, NOW, NOW + 60_000),
  ]
  expect(rest).toHaveLength(40 - claimed.length)
  expect(none).toHaveLength(0)
})

/** A store with due entries of these endpoints, each a millisecond after the one before. */
async function waiting(endpointIds: readonly number[]) {
  const { store, domainId } = await temporaryStore()
  const bytes = new Uint8Array(16)
  const entry = { domain_id: domainId, request_id: bytes, event_id: bytes, body: bytes, attempts: 0 }
  const rows = endpointIds.map((endpoint_id, index) => ({
    ...entry,
    endpoint_id,
    due_at: NOW - 9_000 + index,
  }))
  for (let from = 0; from < rows.length; from += 1_000)
    await store.writes
      .insertInto('outbox')
      .values(rows.slice(from, from + 1_000))
      .execute()
  return store
}

test('of due entries those are claimed whose endpoints are asked for, the oldest of each, all with the same share', async () => {
  const store = await waiting([1, 2, 1, 3, 1, 1, 2])
  const { dueEndpoints, claim } = outboxStore(store.writes)
  const claimed = async (limit: number, endpointIds: readonly number[]) =>
    (await claim(NOW, NOW + 60_000, limit, endpointIds)).map(({ id }) => id).sort()
  expect(await dueEndpoints(NOW)).toEqual([1, 2, 3])
  expect(await claimed(9, [2])).toEqual([2, 7])
  expect(await dueEndpoints(NOW)).toEqual([1, 3])
  expect(await claimed(4, [1, 3])).toEqual([1, 3, 4])
  expect(await claimed(1, [1, 3])).toEqual([5])
  expect(await claimed(9, [])).toEqual([])
  expect(await claimed(9, [3, 1])).toEqual([6])
  expect(await dueEndpoints(NOW)).toEqual([])
  // From a clock that was ahead.
  expect(await dueEndpoints(NOW - 3_600_000)).toEqual([1, 2, 3])
  expect(await claim(NOW - 3_600_000, NOW, 12, [1, 2, 3])).toHaveLength(7)
})

test('a claim for the other endpoints reads nothing of the backlog of a full one', async () => {
  const store = await waiting([...Array.from({ length: 5_000 }, () => 2), 1, 3])
  const readByStatement = [
    endpointsWithDue(NOW),
    oldestDue(store.writes, [1, 3], { nowMs: NOW, limit: 500 }),
  ].map((statement) => statement.compile(store.writes))
  if (store.engine === 'postgres') {
    await sql`analyze outbox`.execute(store.writes)
    for (const statement of readByStatement) {
      const explained = await store.writes.executeQuery<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>({
        ...statement,
        sql: `explain (analyze, format json) ${statement.sql}`,
      })
      expect(rowsRead(explained.rows[0]?.['QUERY PLAN'][0].Plan)).toBeLessThan(30)
    }
    return
  }
  for (const statement of readByStatement) {
    const sqlite = { ...statement, sql: `explain query plan ${statement.sql}` }
    const { rows } = await store.writes.executeQuery<{ detail: string }>(sqlite)
    const steps = rows.map(({ detail }) => detail).filter((detail) => detail.includes('outbox'))
    expect(steps.length).toBeGreaterThan(1)
    for (const step of steps) expect(step).toMatch(/^SEARCH outbox USING COVERING INDEX outbox_due/)
  }
})

interface PlanNode {
  Plans?: PlanNode[]
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
}

/** Rows of the outbox that a plan of PostgreSQL read. */
function rowsRead(node: PlanNode | undefined): number {
  if (!node) return Number.NaN
  const ofOutbox = node['Relation Name'] === 'outbox'
  const read = ofOutbox
    ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
    : 0
  return (node.Plans ?? []).reduce((sum, inner) => sum + rowsRead(inner), read)
}

/** A store with one visit whose event is being sent. */
async function sending() {
  const { store, domainId } = await temporaryStore()
  const claim = async () => (await claimEvents(store, NOW + 20_000, NOW + 30_000))[0]
  const { requestId } = await storeVisit({ store, domainId, clock: { nowMs: NOW } })
  const entry = await claim()
  if (!entry) throw new Error('the event of the visit does not wait')
  const logged = async () => {
    const rows = await deliveryStore(store.reads).list(domainId, 1, {
      ...{ failedOnly: false, beforeId: undefined, limit: 9 },
    })
    return rows.map(({ request_id, attempt }) => [uuidToText(request_id), attempt])
  }
  return { store, domainId, requestId, entry, claim, logged }
}

test.each([undefined, NOW + 40_000])(
  'an event that is erased while it is sent is not logged',
  async (retryAt) => {
    const { store, domainId, requestId, entry, logged } = await sending()
    await erase(store, domainId, { type: 'request_id', value: requestId })
    expect(await store.commit(recordOf(entry, {}, retryAt))).toEqual({ type: 'recorded' })
    expect(await logged()).toEqual([])
  },
)

test.each([undefined, NOW + 40_000])('an attempt that is recorded twice is logged once', async (retryAt) => {
  const { store, requestId, entry, logged } = await sending()
  const record = recordOf(entry, {}, retryAt)
  await Promise.all([store.commit(record), store.commit(record)])
  await store.commit(record)
  expect(await logged()).toEqual([[requestId, 1]])
})

test('a record that comes again after the next attempt neither postpones nor removes the event', async () => {
  const { store, requestId, entry, logged, claim } = await sending()
  const first = recordOf(entry, { status: 503 }, NOW + 10_000)
  await store.commit(first)
  const again = await claim()
  if (!again) throw new Error('the event is not tried again')
  await store.commit(first)
  await store.commit(recordOf(entry, { status: 404 }))
  expect(await store.reads.selectFrom('outbox').selectAll().execute()).toEqual([again])
  await store.commit(recordOf(again))
  expect(await logged()).toEqual([
    [requestId, 2],
    [requestId, 1],
  ])
})

test('an event that one node sent in vain and another one with success at the same time is not sent again', async () => {
  const { store, requestId, entry, logged, claim } = await sending()
  await store.commit(recordOf(entry, { status: 503 }, NOW + 10_000))
  await Promise.all([store.commit(recordOf(entry)), store.commit(recordOf(entry))])
  expect(await claim()).toBeUndefined()
  expect(await logged()).toEqual([
    [requestId, 1],
    [requestId, 1],
  ])
})
