import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { recordOf, storeVisit } from '../../../test/account/stored-visits.ts'
import { temporaryStore } from '../../../test/temporary-store.ts'
import { uuidToText } from '../../lib/uuid.ts'
import { oldestDue } from '../due-rows.ts'
import { erase } from '../erasure/erase.ts'
import { deliveryStore, ofOthers, outboxStore } from './outbox.ts'

const NOW = Date.UTC(2026, 10, 21)

test('concurrent claims get different entries, each at most its limit', async () => {
  const { store, domainId } = await temporaryStore()
  const bytes = new Uint8Array(16)
  const entry = { domain_id: domainId, endpoint_id: 1, request_id: bytes, event_id: bytes, body: bytes }
  await store.writes
    .insertInto('outbox')
    .values(Array.from({ length: 40 }, (_, index) => ({ ...entry, attempts: 0, due_at: NOW - index })))
    .execute()

  const claims = await Promise.all(
    Array.from({ length: 6 }, () => outboxStore(store.writes).claim(NOW, NOW + 60_000, 5)),
  )
  const claimed = claims.flat().map(({ id }) => id)
  expect(claims.every((claim) => claim.length <= 5)).toBe(true)
  expect(new Set(claimed).size).toBe(claimed.length)
  const [rest, none] = [
    await outboxStore(store.writes).claim(NOW, NOW + 60_000, 50),
    await outboxStore(store.writes).claim(NOW, NOW + 60_000, 50),
  ]
  expect(rest).toHaveLength(40 - claimed.length)
  expect(none).toHaveLength(0)
})

test('entries of full endpoints are passed over, whatever is due before the others', async () => {
  const { store, domainId } = await temporaryStore()
  const bytes = new Uint8Array(16)
  const entry = { domain_id: domainId, request_id: bytes, event_id: bytes, body: bytes, attempts: 0 }
  await store.writes
    .insertInto('outbox')
    .values(
      [1, 2, 1, 3, 1].map((endpoint_id, index) => ({ ...entry, endpoint_id, due_at: NOW - 100 + index })),
    )
    .execute()
  const claim = async (limit: number, full: readonly number[]) =>
    (await outboxStore(store.writes).claim(NOW, NOW + 60_000, limit, full)).map(
      ({ endpoint_id }) => endpoint_id,
    )
  expect(await claim(1, [1])).toEqual([2])
  expect(await claim(9, [1, 2])).toEqual([3])
  expect(await claim(9, [1])).toEqual([])
  expect(await claim(9, [])).toEqual([1, 1, 1])
})

test('due entries are found in their order by an index, with and without those of full endpoints', async () => {
  const { store } = await temporaryStore()
  const isSqlite = store.engine === 'sqlite'
  for (const which of [sql<boolean>`true`, ofOthers([1, 2])]) {
    const due = oldestDue(store.writes, 'outbox', { nowMs: NOW, limit: 500, which }).compile()
    const plan = await store.writes.transaction().execute(async (transaction) => {
      // An empty table is read as a whole otherwise.
      if (!isSqlite) await sql`set local enable_seqscan = off`.execute(transaction)
      if (!isSqlite) await sql`set local enable_bitmapscan = off`.execute(transaction)
      const explained = await transaction.executeQuery({
        ...due,
        sql: `${isSqlite ? 'explain query plan' : 'explain'} ${due.sql}`,
      })
      return JSON.stringify(explained.rows)
    })
    expect(plan).toContain(isSqlite ? 'USING COVERING INDEX outbox_due ' : 'Index Scan using outbox_due ')
    expect(plan).not.toMatch(/TEMP B-TREE|Seq Scan|Sort +\(cost/)
  }
})

/** A store with one visit whose event is being sent. */
async function sending() {
  const { store, domainId } = await temporaryStore()
  const claim = async () => (await outboxStore(store.writes).claim(NOW + 20_000, NOW + 30_000, 1))[0]
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
  await store.commit(recordOf(entry))
  expect(await store.reads.selectFrom('outbox').selectAll().execute()).toEqual([again])
  await store.commit(recordOf(again))
  expect(await logged()).toEqual([
    [requestId, 2],
    [requestId, 1],
  ])
})
