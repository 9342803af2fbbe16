import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { identified } from '../../../test/identified.ts'
import { temporaryDirectory, temporaryStore } from '../../../test/temporary-store.ts'
import { openStoreIn } from '../../../test/test-database.ts'
import { registerDomain } from '../../auth/register-domain.ts'
import { openServerSecrets } from '../../auth/server-secrets.ts'
import { uuidBytesOrNil } from '../../lib/uuid.ts'
import { score } from '../../score/score.ts'
import { SECRETS_FILE } from '../data-dir.ts'
import { domainStore } from '../domains/domains.ts'
import { identificationRow } from '../identifications/identification-row.ts'
import { removeIdentifications } from '../identifications/remove-identifications.ts'
import { snapshotOf } from '../identifications/snapshots.ts'
import { nodeStore } from '../nodes.ts'
import { outboxStore } from '../outbox/outbox.ts'
import type { JobName, Store, WriteOperation } from '../store.ts'
import { LOCKS } from './locks.ts'
import { forgetRecentRequests } from './use-requests.ts'

function insertion(domainId: number, requestId: string, atMs = Date.now()) {
  const visit = identified({ requestId, atMs })
  const scored = score({ ...visit, domain: { ...visit.domain, id: domainId } })
  const operation = {
    type: 'identification',
    row: identificationRow(scored),
    snapshot: snapshotOf(scored),
    outbox: [],
  } satisfies WriteOperation
  return operation
}

const { workers = [] } = inject('testPostgres') ?? {}

async function anotherDomain(store: Store): Promise<number> {
  await registerDomain(store, 'other.example', Date.UTC(2026, 0))
  return (await domainStore(store.reads).find('other.example'))?.id ?? 0
}

/** Two nodes of one installation. */
async function twoNodes(): Promise<{ nodes: [Store, Store]; domainId: number; directory: string }> {
  const { store, domainId, directory } = await temporaryStore()
  const other = await openStoreIn(directory)
  onTestFinished(() => other.close())
  return { nodes: [store, other], domainId, directory }
}

test('a request ID is stored once, whatever the node and the time', async () => {
  const { nodes, domainId } = await twoNodes()
  const requestIds = Array.from({ length: 200 }, () => randomUUID())
  const year = 365 * 86_400_000
  const outcomes = await Promise.all(
    requestIds.flatMap((requestId, index) =>
      nodes.map((node, at) => node.commit(insertion(domainId, requestId, Date.now() - index * at * year))),
    ),
  )
  expect(outcomes.filter(({ type }) => type === 'stored')).toHaveLength(200)
  expect(outcomes.filter(({ type }) => type === 'duplicate')).toHaveLength(200)
  const { remaining } = await nodes[0].reads
    .selectFrom('domains')
    .select('remaining')
    .executeTakeFirstOrThrow()
  const { count } = await nodes[1].reads
    .selectFrom('identifications')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect([count, remaining]).toEqual([200, 1_000_000 - 200])
})

test('a request ID that another domain used of late is not stored again', async () => {
  const { store, domainId } = await temporaryStore()
  const other = await anotherDomain(store)
  const requestId = randomUUID()
  const outcomes = [
    await store.commit(insertion(domainId, requestId)),
    await store.commit(insertion(other, requestId)),
  ]
  expect(outcomes.map(({ type }) => type)).toEqual(['stored', 'duplicate'])
})

test.runIf(workers.length > 0)(
  'on a cluster, a domain knows its own request IDs for good and those of others for a day',
  async () => {
    const { store, domainId } = await temporaryStore()
    const other = await anotherDomain(store)
    const requestId = randomUUID()
    await store.commit(insertion(domainId, requestId))
    await forgetRecentRequests(store.writes, Date.now() + 86_400_000 + 1)
    const outcomes = [
      await store.commit(insertion(domainId, requestId)),
      await store.commit(insertion(other, randomUUID())),
    ]
    await forgetRecentRequests(store.writes, Date.now() + 86_400_000 + 1)
    outcomes.push(await store.commit(insertion(other, requestId)))
    expect(outcomes.map(({ type }) => type)).toEqual(['duplicate', 'stored', 'stored'])
  },
)

test('a node that starts forgets the request IDs of other days', async () => {
  const { store, domainId, directory } = await temporaryStore()
  const ages = [86_400_000 + 60_000, 60_000]
  for (const [index, ageMs] of ages.entries())
    await sql`insert into recent_requests (domain_id, request_id, created_at)
      values (${domainId}, ${uuidBytesOrNil(randomUUID())}, ${Date.now() - ageMs - index})`.execute(
      store.writes,
    )
  const restarted = await openStoreIn(directory)
  onTestFinished(() => restarted.close())
  const kept = async () => (await sql`select 1 from recent_requests`.execute(store.reads)).rows.length
  await expect.poll(kept).toBe(1)
})

/** Citus keeps a record of each transaction that it prepared, until it looks after them once a minute. */
test.runIf(workers.length > 0)(
  'on a cluster, a commit is on its worker and the coordinator or on neither',
  async () => {
    const { store, domainId } = await temporaryStore()
    const prepared = async () =>
      (await sql`select 1 from pg_dist_transaction`.execute(store.reads)).rows.length
    const records: number[] = []
    for (let visit = 0; visit < 3; visit += 1) {
      await store.commit(insertion(domainId, randomUUID()))
      records.push(await prepared())
    }
    expect(Math.max(...records)).toBeGreaterThan(0)
  },
)

test('of a visit with a value that cannot be sent nothing is stored', async () => {
  const { store, domainId } = await temporaryStore()
  const requestId = randomUUID()
  const visit = insertion(domainId, requestId)
  const outcomes = [
    await store.commit({ ...visit, row: { ...visit.row, score: 0.5 } }),
    await store.commit(visit),
  ]
  expect(outcomes.map(({ type }) => type)).toEqual(['failed', 'stored'])
})

test('a request ID can be used again after its identification is removed', async () => {
  const { store, domainId } = await temporaryStore()
  const requestId = randomUUID()
  await store.commit(insertion(domainId, requestId))
  const rows = await store.reads
    .selectFrom('identifications')
    .select(['id', 'request_id', 'device_id'])
    .execute()
  await store.writes
    .transaction()
    .execute((transaction) => removeIdentifications(transaction, domainId, rows))
  expect(await store.commit(insertion(domainId, requestId))).toMatchObject({ type: 'stored' })
})

/** Too long for an index entry, because it cannot be compressed. */
const unindexable = (): string =>
  Array.from({ length: 1_024 }, (_, index) => String.fromCharCode(0x4e00 + ((index * 7_919) % 20_000))).join(
    '',
  )

test.each([
  ['without a host', { host: null as never }],
  ['with a text that is too long for an index', { user_hid: unindexable() }],
])('a row %s fails alone', async (_, wrong) => {
  const { store, domainId } = await temporaryStore()
  const bad = insertion(domainId, randomUUID())
  const outcomes = await Promise.all([
    store.commit(insertion(domainId, randomUUID())),
    store.commit({ ...bad, row: { ...bad.row, ...wrong } }),
    store.commit(insertion(domainId, randomUUID())),
  ])
  expect(outcomes.map(({ type }) => type)).toEqual(['stored', 'failed', 'stored'])
})

test('a text with a zero byte is stored and found', async () => {
  const { store, domainId } = await temporaryStore()
  const { row, ...rest } = insertion(domainId, randomUUID())
  expect(await store.commit({ ...rest, row: { ...row, user_hid: 'a\0b' } })).toMatchObject({ type: 'stored' })
  const found = store.reads.selectFrom('identifications').select('user_hid').where('user_hid', '=', 'a\0b')
  expect(await found.execute()).toEqual([{ user_hid: 'a\0b' }])
})

test('rows of this week are in its partition, and older ones in the default partition', async () => {
  const { store, domainId } = await temporaryStore()
  await store.commit(insertion(domainId, randomUUID()))
  await store.commit(insertion(domainId, randomUUID(), Date.UTC(2020, 0)))
  const { rows } = (await store.pool?.query<{ name: string }>(
    'select tableoid::regclass::text as name from identifications order by created_at',
  )) ?? { rows: [] }
  // A shard of a split table has its number behind the name.
  expect(rows.map(({ name }) => name)).toEqual([
    expect.stringMatching(/^identifications_other(_\d+)?$/),
    expect.stringMatching(/^identifications_\d{8}(_\d+)?$/),
  ])
})

test('a job runs on one node at a time', async () => {
  const { nodes } = await twoNodes()
  const held = Promise.withResolvers<void>()
  const started = Promise.withResolvers<void>()
  const first = nodes[0].alone('patterns', async () => {
    started.resolve()
    await held.promise
    return 'ran'
  })
  await started.promise
  expect(await nodes[1].alone('patterns', () => Promise.resolve('ran'))).toBeUndefined()
  expect(await nodes[1].alone('retention', () => Promise.resolve('ran'))).toBe('ran')
  held.resolve()
  expect(await first).toBe('ran')
  expect(await nodes[1].alone('patterns', () => Promise.resolve('ran'))).toBe('ran')
})

test('all jobs of a node run at the same time', async () => {
  const { store } = await temporaryStore()
  const jobs = Object.keys(LOCKS).filter((name): name is JobName => name !== 'writes' && name !== 'commits')
  const started = Promise.withResolvers<void>()
  let running = 0
  const run = async () => {
    running += 1
    if (running === jobs.length) started.resolve()
    await started.promise
    return true
  }
  expect(await Promise.all(jobs.map((job) => store.alone(job, run)))).toEqual(jobs.map(() => true))
})

test('claims of events and signs of life of nodes wait for no transaction', async () => {
  const { nodes } = await twoNodes()
  const [node, other] = nodes
  const held = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const transactions = [
    other.writes.transaction().execute(() => {
      begun.resolve()
      return held.promise
    }),
  ]
  await begun.promise
  // As many as wait for it on all connections for writes.
  for (let waiting = 0; waiting < 2; waiting += 1)
    transactions.push(node.writes.transaction().execute(async () => {}))
  expect(await outboxStore(node.claims).claim(0, 1, 10, [1])).toEqual([])
  await nodeStore(node.claims).seen('10.0.0.1:9000', 1_000)
  expect(await nodeStore(node.claims).alive(1_000)).toEqual(['10.0.0.1:9000'])
  held.resolve()
  await Promise.all(transactions)
})

test('write transactions run one at a time across all nodes', async () => {
  const { nodes } = await twoNodes()
  const spend = (node: Store): Promise<void> =>
    node.writes.transaction().execute(async (transaction) => {
      const { remaining } = await transaction
        .selectFrom('domains')
        .select('remaining')
        .executeTakeFirstOrThrow()
      await transaction
        .updateTable('domains')
        .set({ remaining: remaining - 1 })
        .execute()
    })
  await Promise.all(Array.from({ length: 20 }, (_, index) => spend(nodes[index % 2] ?? nodes[0])))
  expect(await nodes[0].reads.selectFrom('domains').select('remaining').execute()).toEqual([
    { remaining: 1_000_000 - 20 },
  ])
})

test('nodes with different data directories share the generated secrets', async () => {
  const { nodes } = await twoNodes()
  const secrets = await Promise.all(nodes.map(({ secrets }) => openServerSecrets(secrets)))
  expect(secrets[0]).toEqual(secrets[1])
})

test('secrets in the data directory are copied to PostgreSQL', async () => {
  const directory = await temporaryDirectory()
  const text = JSON.stringify({ secret_box_key: '11'.repeat(32), ingest_private_key: '22'.repeat(32) })
  await writeFile(join(directory, SECRETS_FILE), text)
  const store = await openStoreIn(directory)
  onTestFinished(() => store.close())
  const { secret_box_key } = await openServerSecrets(store.secrets)
  expect(secret_box_key.toString('hex')).toBe('11'.repeat(32))
})

test('rows are read as they were written, with the same types', async () => {
  const { store, domainId } = await temporaryStore()
  const operation = insertion(domainId, randomUUID())
  await store.commit(operation)
  const { id, ...row } = await store.reads.selectFrom('identifications').selectAll().executeTakeFirstOrThrow()
  // The commit adds what the row takes on disk.
  expect(row).toEqual({ ...operation.row, bytes: expect.any(Number) })
  expect(id).toBe(1)
  expect(row.device_id).toEqual(uuidBytesOrNil(identified().identity.deviceId))
})

test('a transaction that waited too long for its turn leaves a connection that others can use', async () => {
  const { nodes } = await twoNodes()
  const [node, other] = nodes
  const held = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const holding = other.writes.transaction().execute(() => {
    begun.resolve()
    return held.promise
  })
  await begun.promise
  // On the connection that is lent next, the last one that came back.
  await sql`set statement_timeout = 1000`.execute(node.writes)
  await expect(node.writes.transaction().execute(async () => {})).rejects.toThrow('statement timeout')
  held.resolve()
  await holding
  await sql`set statement_timeout = 0`.execute(node.writes)
  await node.writes.transaction().execute(async () => {})
})
