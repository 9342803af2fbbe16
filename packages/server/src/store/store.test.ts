import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { claimEvents } from '../../test/claim-events.ts'
import { identified } from '../../test/identified.ts'
import { temporaryDirectory, temporaryStore } from '../../test/temporary-store.ts'
import { openStoreIn } from '../../test/test-database.ts'
import { uuidBytesOrNil } from '../lib/uuid.ts'
import { score } from '../score/score.ts'
import { domainStore } from './domains/domains.ts'
import { identificationRow } from './identifications/identification-row.ts'
import { identificationStore } from './identifications/identifications.ts'
import { snapshotOf } from './identifications/snapshots.ts'
import { outboxStore } from './outbox/outbox.ts'
import type { NewOutboxEntry, Store, WriteOperation } from './store.ts'

type Insertion = Extract<WriteOperation, { type: 'identification' }>

function insertion(
  domainId: number,
  requestId: string = randomUUID(),
  outbox: NewOutboxEntry[] = [],
): Insertion {
  const scored = score(identified({ requestId, domain: { ...identified().domain, id: domainId } }))
  return { type: 'identification', row: identificationRow(scored), snapshot: snapshotOf(scored), outbox }
}

const event = (domainId: number): NewOutboxEntry => ({
  domain_id: domainId,
  endpoint_id: 1,
  request_id: uuidBytesOrNil(randomUUID()),
  event_id: uuidBytesOrNil(randomUUID()),
  body: Buffer.from('{}'),
  attempts: 0,
  due_at: 1_000,
})

const allRows = (store: Store, domainId: number) =>
  identificationStore(store.reads).search(domainId, undefined, 100, 0)

test('a committed identification is visible to every reader', async () => {
  const { store, domainId } = await temporaryStore()
  expect(await store.commit(insertion(domainId))).toEqual({ type: 'stored', outboxIds: [] })
  expect((await allRows(store, domainId)).total).toBe(1)
})

test('a request ID is stored once; its second use changes neither events nor volume', async () => {
  const { store, domainId } = await temporaryStore()
  const before = (await domainStore(store.reads).findById(domainId))?.remaining ?? 0
  const requestId = randomUUID()
  const outcomes = await Promise.all([
    store.commit(insertion(domainId, requestId, [event(domainId)])),
    store.commit(insertion(domainId, requestId, [event(domainId)])),
  ])
  expect(outcomes.map(({ type }) => type)).toEqual(['stored', 'duplicate'])
  expect(await claimEvents(store, 2_000, 3_000)).toHaveLength(1)
  expect((await domainStore(store.reads).findById(domainId))?.remaining).toBe(before - 1)
})

test('the nil request ID may be stored any number of times', async () => {
  const { store, domainId } = await temporaryStore()
  const nil = '00000000-0000-0000-0000-000000000000'
  for (let count = 0; count < 3; count += 1) await store.commit(insertion(domainId, nil))
  const found = await identificationStore(store.reads).search(
    domainId,
    { column: 'request_id', value: null },
    10,
    0,
  )
  expect(found.total).toBe(3)
})

test('an operation that the database refuses fails alone, and the rest of its batch is stored', async () => {
  const { store, domainId } = await temporaryStore()
  const broken = insertion(domainId)
  const refused = { ...broken, row: { ...broken.row, os: null } as unknown as Insertion['row'] }
  const outcomes = await Promise.all([
    store.commit(insertion(domainId)),
    store.commit(refused),
    store.commit(insertion(domainId)),
  ])
  expect(outcomes.map(({ type }) => type)).toEqual(['stored', 'failed', 'stored'])
  expect((await allRows(store, domainId)).total).toBe(2)
})

test('commits and write transactions do not interleave', async () => {
  const { store, domainId } = await temporaryStore()
  const renaming = store.writes.transaction().execute(async (transaction) => {
    await domainStore(transaction).change(domainId, { remaining: 50 })
    // This commit has to wait for the transaction.
    const committed = store.commit(insertion(domainId))
    await domainStore(transaction).change(domainId, { remaining: 60 })
    return { committed }
  })
  await (await renaming).committed
  expect((await domainStore(store.reads).findById(domainId))?.remaining).toBe(59)
})

test('load never starves a write transaction: it runs before later commits', async () => {
  const { store, domainId } = await temporaryStore()
  let stored = 0
  const load = Array.from({ length: 40 }, async () => {
    for (let count = 0; count < 20; count += 1) {
      await store.commit(insertion(domainId))
      stored += 1
    }
  })
  await store.commit(insertion(domainId))
  await store.writes
    .transaction()
    .execute((transaction) => domainStore(transaction).change(domainId, { enabled: 0 }))
  expect(stored).toBeLessThan(40 * 20)
  await Promise.all(load)
})

test('an entry is claimed once, and again when the claim expires', async () => {
  const { store, domainId } = await temporaryStore()
  await store.commit(insertion(domainId, randomUUID(), [event(domainId)]))
  const claims = await Promise.all([claimEvents(store, 2_000, 9_000), claimEvents(store, 2_000, 9_000)])
  expect(claims.map((rows) => rows.length).sort()).toEqual([0, 1])
  expect(await outboxStore(store.reads).dueEndpoints(8_999)).toEqual([])
  expect(await claimEvents(store, 9_000, 10_000)).toHaveLength(1)
})

test('several processes may create the same database at the same time', async () => {
  const directory = await temporaryDirectory()
  const stores = await Promise.all([openStoreIn(directory), openStoreIn(directory), openStoreIn(directory)])
  for (const store of stores) expect(await domainStore(store.reads).list()).toEqual([])
  await Promise.all(stores.map((store) => store.close()))
})

test('closing completes pending operations', async () => {
  const { store, domainId, directory } = await temporaryStore()
  const pending = Array.from({ length: 300 }, () => store.commit(insertion(domainId)))
  await store.close()
  for (const outcome of await Promise.all(pending)) expect(outcome.type).toBe('stored')
  const reopened = await openStoreIn(directory)
  expect((await allRows(reopened, domainId)).total).toBe(300)
  await reopened.close()
})

test('of two versions that were computed from the same one only the first is stored, and the other is told so', async () => {
  const { store, domainId } = await temporaryStore()
  const requestId = randomUUID()
  const visit = insertion(domainId, requestId)
  await store.commit(visit)
  const refine = (score: number, ver: number, earlierVer: number) =>
    store.commit({
      ...{ type: 'refinement', snapshot: undefined, outbox: [] },
      ...{ row: { ...visit.row, score, ver }, earlierVer },
    })
  const { ver } = visit.row
  // In one batch.
  const together = await Promise.all([refine(60, ver + 5, ver), refine(7, ver + 9, ver)])
  expect(together.map(({ type }) => type)).toEqual(['refined', 'outdated'])
  expect(await refine(7, ver + 10, ver)).toEqual({ type: 'outdated' })
  expect(await refine(61, ver + 11, ver + 5)).toMatchObject({ type: 'refined' })
  const versions = await store.reads.selectFrom('versions').select(['ver', 'score']).orderBy('ver').execute()
  expect(versions.map((version) => version.ver)).toEqual([ver, ver + 5])
  const row = await store.reads.selectFrom('identifications').select(['ver', 'score']).executeTakeFirst()
  expect(row).toEqual({ ver: ver + 11, score: 61 })
})

test('decisions beside later evidence are stored once each, and all of them are to be compared with it', async () => {
  const { store, domainId } = await temporaryStore()
  const requestId = randomUUID()
  const visit = insertion(domainId, requestId)
  await store.commit(visit)
  const later = { ...visit.row, ver: visit.row.ver + 1 }
  const decide = (purpose: string, id = requestId) =>
    store.commit({
      type: 'decision',
      row: {
        ...{
          domain_id: domainId,
          request_id: uuidBytesOrNil(id),
          purpose,
          action: 'allow',
          ver: visit.row.ver,
        },
        ...{ idempotency_key: null, account: null, client_address: null, asked: new Uint8Array(32) },
        ...{ question: '{}', answer: '{}', decided_at: 1 },
      },
    })
  const outcomes = await Promise.all([
    store.commit({
      ...{ type: 'refinement', row: later, earlierVer: visit.row.ver, snapshot: undefined, outbox: [] },
    }),
    ...['signup', 'login', 'signup'].map((purpose) => decide(purpose)),
    decide('login', randomUUID()),
  ])
  expect(outcomes.map(({ type }) => type).sort()).toEqual(['decided', 'decided', 'gone', 'refined', 'used'])
  const rows = await store.reads
    .selectFrom('decisions')
    .select(['purpose', 'stale'])
    .orderBy('purpose')
    .execute()
  expect(rows).toEqual(['login', 'signup'].map((purpose) => ({ purpose, stale: later.ver })))
})
