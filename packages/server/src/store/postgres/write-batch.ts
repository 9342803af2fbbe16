import type { ClientBase, Pool } from 'pg'
import { DELIVERY } from '../columns.ts'
import { compressSnapshot } from '../identifications/snapshots.ts'
import { isOutage } from '../outages.ts'
import { isAccepted, type NewIdentification, type WriteOperation, type WriteOutcome } from '../store.ts'
import type { Grown } from '../stored-bytes.ts'
import { arrayStatement, GUARD_FAILED, guard, insertNumbered, runIfAny } from './array-statement.ts'
import { domainOf } from './commit-by-worker.ts'
import { nameOfWorker, type Shards } from './domain-shards.ts'
import type { KnownCounts } from './known-counts.ts'
import { LOCKS } from './locks.ts'
import { numbersOnShards } from './new-numbers.ts'
import { letRun, type StatementsSent, withTransaction } from './pools.ts'
import { type RefineIdentification, refineIdentifications } from './refine-identifications.ts'
import { type StoreDecision, storeDecisions } from './store-decisions.ts'
import { addCountedRows, type StoreIdentification, storeIdentifications } from './store-identifications.ts'
import { DOMAIN_MOVED } from './worker-function.ts'
import { type ShardsByDomain, withTurns } from './worker-turns.ts'
import { bumpDirectory } from './write-sticky-verdicts.ts'

type Delivery = Extract<WriteOperation, { type: 'delivery' }>

/** An operation with its snapshot compressed, which is done before the transaction begins. */
export type Prepared =
  | StoreIdentification
  | RefineIdentification
  | { type: 'decision'; operation: StoreDecision }
  | { type: 'delivery'; operation: Delivery }

export function prepare(operation: WriteOperation): Prepared {
  if (operation.type === 'delivery') return { type: 'delivery', operation }
  if (operation.type === 'decision') return { type: 'decision', operation }
  if (operation.type === 'listing') throw new Error('with PostgreSQL a job lists keys')
  const snapshot = operation.snapshot === undefined ? undefined : compressSnapshot(operation.snapshot)
  return operation.type === 'identification'
    ? { type: 'identification', operation, snapshot }
    : { type: 'refinement', operation, snapshot }
}

/** Waits while a domain is being removed, and holds back the next removal. */
const BEGIN = `begin; select pg_advisory_xact_lock_shared(${LOCKS.commits})`
/**
 * Changes nothing, and tells Citus that the transaction writes on the worker and on the coordinator, so that it commits on
 * both or on neither, and that these shards must not move meanwhile. Of what `worker-function.ts` writes it knows nothing.
 */
function beginOnWorker(shards: ShardsByDomain): string {
  const oneOfEach = new Map([...shards.values()].map(({ shard, domainId }) => [shard, domainId]))
  const marks = [...oneOfEach]
    .sort(([a], [b]) => a - b)
    .map(([, domainId]) => `delete from request_ids where domain_id = ${domainId} and request_id = ''`)
  return [BEGIN, ...marks, "delete from recent_requests where request_id = ''"].join('; ')
}
const TRIES_MAX = 5
/** SQLSTATE of serialization failure, deadlock, lost races and other shards; the same transaction may succeed when repeated. */
const RETRYABLE = new Set(['40001', '40P01', GUARD_FAILED, DOMAIN_MOVED])

/** What the commits of a node share. */
export interface CommitsOfNode {
  pool: Pool
  known: KnownCounts
  /** Where tables are split over machines. A batch is of one worker then. */
  shards: Shards | undefined
}

/**
 * Writes a batch in one transaction. If the batch fails, each operation is tried alone, so that only the operation at
 * fault fails.
 * @throws in an outage: nothing was acknowledged
 */
export async function writeBatch(node: CommitsOfNode, batch: readonly Prepared[]): Promise<WriteOutcome[]> {
  try {
    return await writeWithRetries(node, batch)
  } catch (error) {
    if (isOutage(error)) throw error
    if (batch.length === 1) return [{ type: 'failed', message: String(error), outage: false }]
    const outcomes: WriteOutcome[] = []
    for (const one of batch) outcomes.push(...(await writeBatch(node, [one])))
    return outcomes
  }
}

async function writeWithRetries(
  node: CommitsOfNode,
  batch: readonly Prepared[],
  tries = 1,
): Promise<WriteOutcome[]> {
  try {
    return await writeOnce(node, batch)
  } catch (error) {
    if (codeOf(error) === DOMAIN_MOVED) node.shards?.forget()
    if (!RETRYABLE.has(codeOf(error)) || tries === TRIES_MAX) throw named(error)
    return writeWithRetries(node, batch, tries + 1)
  }
}

async function writeOnce(
  { pool, known, shards }: CommitsOfNode,
  batch: readonly Prepared[],
): Promise<WriteOutcome[]> {
  if (!shards) return withTransaction(pool, (client, sent) => writeAll(client, batch, { sent, known }), BEGIN)
  const byDomain = await shardsOf(shards, batch)
  return withTransaction(
    pool,
    (client, sent) => withTurns(client, byDomain, () => writeAll(client, batch, { sent, known })),
    beginOnWorker(byDomain),
  )
}

/** @throws Error when they are no longer on one worker: each is written alone then */
async function shardsOf(shards: Shards, batch: readonly Prepared[]): Promise<ShardsByDomain> {
  const domainIds = [...new Set(batch.map(({ operation }) => domainOf(operation)))]
  const found = await Promise.all(domainIds.map((domainId) => shards.of(domainId)))
  if (new Set(found.map(({ worker }) => nameOfWorker(worker))).size > 1)
    throw new Error('domains of a batch moved to different workers')
  return new Map(found.map((one) => [one.domainId, one]))
}

/** What a division by zero means here. */
const named = (error: unknown): unknown =>
  codeOf(error) === GUARD_FAILED
    ? new Error('the domain was removed, or its counts changed again and again', { cause: error })
    : error

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

async function writeAll(
  client: ClientBase,
  batch: readonly Prepared[],
  { sent, known }: { sent: StatementsSent; known: KnownCounts },
): Promise<WriteOutcome[]> {
  const grown: Grown = new Map()
  const identifications = await storeIdentifications(
    client,
    batch.filter((one) => one.type === 'identification'),
    sent,
  )
  const refinements = batch.filter((one) => one.type === 'refinement')
  const decisions = batch.flatMap((one) => (one.type === 'decision' ? [one.operation] : []))
  if (refinements.length > 0 && decisions.length > 0)
    await lockVisits(
      client,
      [...refinements.map(({ operation }) => operation), ...decisions].map(({ row }) => row),
    )
  const refined = await refineIdentifications(client, refinements, { grown, sent })
  // After the refinements, so that a decision about a version that just ended is stale.
  const decided = await storeDecisions(client, decisions)
  await recordDeliveries(
    client,
    batch.flatMap((one) => (one.type === 'delivery' ? [one.operation] : [])),
    sent,
  )
  const versions = await addCountedRows(client, identifications, { grown, sent, known })
  spendVolume(client, {
    identifications: identifications.stored.map(({ one }) => one),
    versions,
    grown,
    sent,
  })
  const isWithdrawing = refinements.some(
    (one) => one.operation.withdrawsSticky && refined.get(one)?.type === 'refined',
  )
  if (isWithdrawing) letRun(sent, bumpDirectory(client))
  const { outcomes } = identifications
  function outcomeOf(one: Prepared): WriteOutcome | undefined {
    if (one.type === 'delivery') return { type: 'recorded' }
    if (one.type === 'decision') return decided.get(one.operation)
    return one.type === 'identification' ? outcomes.get(one) : refined.get(one)
  }
  return batch.map((one) => {
    const outcome = outcomeOf(one)
    if (!outcome) throw new Error('an operation has no outcome')
    return outcome
  })
}

/**
 * Locks the rows with these request IDs in the order of all transactions. Refinements and decisions each keep to it, but
 * one after the other they could wait for a commit that waits for them.
 */
async function lockVisits(client: ClientBase, rows: readonly Visit[]): Promise<void> {
  await LOCK_VISITS.run(
    client,
    rows.flatMap(({ domain_id, request_id }) => (request_id === null ? [] : [{ domain_id, request_id }])),
  )
}

type Visit = Pick<NewIdentification, 'domain_id' | 'request_id'>

/**
 * Removes or postpones the outbox entries of events that were sent, and logs the attempts. Nothing is logged where the
 * event was erased during the send, or where this or another node has recorded the attempt.
 */
async function recordDeliveries(
  client: ClientBase,
  batch: readonly Delivery[],
  sent: StatementsSent,
): Promise<void> {
  if (batch.length === 0) return
  const sorted = batch.toSorted((a, b) => a.outboxId - b.outboxId)
  const done = sorted.flatMap((one) => (one.retryAt === undefined ? [doneEntry(one)] : []))
  const retried = sorted.flatMap((one) =>
    one.retryAt === undefined ? [] : [{ ...sentEntry(one), due_at: one.retryAt }],
  )
  const [removed, postponed, rowOf] = await Promise.all([
    done.length > 0 ? REMOVE_OUTBOX.run(client, done) : [],
    retried.length > 0 ? POSTPONE_OUTBOX.run(client, retried) : [],
    deliveryRows(client, batch),
  ])
  const changed = { removed: idsOf(removed), postponed: idsOf(postponed) }
  // Each ID counts once: a record may be tried again while its first try is in the same batch.
  const rows = batch.flatMap((one) =>
    changed[one.retryAt === undefined ? 'removed' : 'postponed'].delete(one.outboxId) ? rowOf(one) : [],
  )
  letRun(sent, runIfAny(ADD_DELIVERIES, client, rows))
}

const sentEntry = ({ outboxId, log }: Delivery) => ({ id: outboxId, attempt: log.attempt })

/** The receiver of an accepted send has the event, whatever another node that sent it at the same time has recorded before. */
const doneEntry = (one: Delivery) => ({ ...sentEntry(one), accepted: isAccepted(one.log) ? 1 : 0 })

const idsOf = (rows: readonly { id: number }[]): Set<number> => new Set(rows.map(({ id }) => id))

/** The record of a send that ends after its domain was removed has no row. */
async function deliveryRows(client: ClientBase, batch: readonly Delivery[]) {
  const domainIds = new Set(batch.map(({ log }) => log.domain_id))
  const [domains, numbers] = await Promise.all([
    FIND_DOMAINS.run(
      client,
      [...domainIds].map((id) => ({ id })),
    ),
    numbersOnShards(client, { deliveries: batch.length }),
  ])
  const exists = idsOf(domains)
  return ({ log }: Delivery) =>
    exists.has(log.domain_id) ? [{ ...log, id: numbers.next('deliveries') }] : []
}

/**
 * One unit per stored identification of an agent, and the bytes that all of them took. It comes last, because it locks the
 * domain's row for all nodes. It fails if the domain was removed meanwhile, or is of another version than its counts.
 */
function spendVolume(
  client: ClientBase,
  {
    identifications,
    versions,
    grown,
    sent,
  }: {
    identifications: readonly StoreIdentification[]
    versions: ReadonlyMap<number, string>
    grown: Grown
    sent: StatementsSent
  },
): void {
  const used = new Map<number, number>()
  for (const { operation } of identifications.filter(({ operation: { isFree } }) => !isFree))
    used.set(operation.row.domain_id, (used.get(operation.row.domain_id) ?? 0) + 1)
  const rows = [...grown]
    .map(([id, bytes]) => ({ id, count: used.get(id) ?? 0, bytes, version: versions.get(id) ?? null }))
    .sort((a, b) => a.id - b.id)
  letRun(sent, runIfAny(SPEND, client, rows))
}

const LOCK_VISITS = arrayStatement(
  'lock visits',
  { domain_id: 'integer', request_id: 'bytes' },
  (rows, { table }) => `select i.id from (select distinct domain_id, request_id from ${rows}) asked
    join ${table('request_ids')} used using (domain_id, request_id)
    join ${table('identifications')} i using (domain_id, request_id, created_at)
    order by i.id for update of i`,
)
const FIND_DOMAINS = arrayStatement(
  'find domains',
  { id: 'integer' },
  (rows) => `select id from domains where id in (select given.id from ${rows})`,
  { id: 'integer' },
)
const ADD_DELIVERIES = insertNumbered('deliveries', DELIVERY)
const SENT_ENTRY = { id: 'integer', attempt: 'integer' } as const
/** The entry before the attempt that is recorded. */
const IS_SENT_ENTRY = 'outbox.id = given.id and outbox.attempts = given.attempt - 1'
const REMOVE_OUTBOX = arrayStatement(
  'remove outbox',
  { ...SENT_ENTRY, accepted: 'integer' },
  (rows) => `delete from outbox using ${rows}
    where outbox.id = given.id and outbox.attempts >= given.attempt - 1
      and (given.accepted = 1 or ${IS_SENT_ENTRY}) returning outbox.id`,
  { id: 'integer' },
)
const POSTPONE_OUTBOX = arrayStatement(
  'postpone outbox',
  { ...SENT_ENTRY, due_at: 'integer' },
  (rows) => `update outbox set attempts = given.attempt, due_at = given.due_at from ${rows}
    where ${IS_SENT_ENTRY} returning outbox.id`,
  { id: 'integer' },
)
const SPEND = arrayStatement(
  'spend',
  { id: 'integer', count: 'integer', bytes: 'integer', version: 'text or null' },
  (rows) => `with given as materialized (select * from ${rows}),
    spent as (
      update domains
      set remaining = remaining - given.count, stored_bytes = stored_bytes + given.bytes
      from given
      where domains.id = given.id and (given.version is null or domains.xmin::text = given.version)
      returning 1)
    select ${guard('(select count(*) from spent) = (select count(*) from given)')}`,
)
