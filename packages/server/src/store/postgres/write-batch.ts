import type { ClientBase, Pool } from 'pg'
import { DELIVERY } from '../columns.ts'
import { compressSnapshot } from '../identifications/snapshots.ts'
import type { NewIdentification, WriteOperation, WriteOutcome } from '../store.ts'
import { isOutage } from '../store-error.ts'
import type { Grown } from '../stored-bytes.ts'
import { arrayStatement, letRun, runIfAny, type StatementsSent } from './array-statement.ts'
import { LOCKS } from './locks.ts'
import { LostRace } from './lost-race.ts'
import { withTransaction } from './pools.ts'
import { type RefineIdentification, refineIdentifications } from './refine-identifications.ts'
import { type StoreDecision, storeDecisions } from './store-decisions.ts'
import { type StoreIdentification, storeIdentifications } from './store-identifications.ts'

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
const TRIES_MAX = 5
/** SQLSTATE of serialization failure and deadlock; the same transaction may succeed when repeated. */
const RETRYABLE = new Set(['40001', '40P01'])

/**
 * Writes a batch in one transaction. If the batch fails, each operation is tried alone, so that only the operation at
 * fault fails.
 * @throws in an outage: nothing was acknowledged
 */
export async function writeBatch(pool: Pool, batch: readonly Prepared[]): Promise<WriteOutcome[]> {
  try {
    return await writeWithRetries(pool, batch)
  } catch (error) {
    if (isOutage(error)) throw error
    if (batch.length === 1) return [{ type: 'failed', message: String(error), outage: false }]
    const outcomes: WriteOutcome[] = []
    for (const one of batch) outcomes.push(...(await writeBatch(pool, [one])))
    return outcomes
  }
}

async function writeWithRetries(pool: Pool, batch: readonly Prepared[], tries = 1): Promise<WriteOutcome[]> {
  try {
    return await withTransaction(pool, (client) => writeAll(client, batch), BEGIN)
  } catch (error) {
    const isRetryable = error instanceof LostRace || RETRYABLE.has(codeOf(error))
    if (!isRetryable || tries === TRIES_MAX) throw error
    return writeWithRetries(pool, batch, tries + 1)
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/** @throws the failure of the first statement that failed: those behind it fail because of it */
async function writeAll(client: ClientBase, batch: readonly Prepared[]): Promise<WriteOutcome[]> {
  const sent: StatementsSent = []
  try {
    const outcomes = await sendAll(client, batch, sent)
    await Promise.all(sent)
    return outcomes
  } catch (error) {
    const failed = (await Promise.allSettled(sent)).find(({ status }) => status === 'rejected')
    throw failed?.status === 'rejected' ? failed.reason : error
  }
}

async function sendAll(
  client: ClientBase,
  batch: readonly Prepared[],
  sent: StatementsSent,
): Promise<WriteOutcome[]> {
  const grown: Grown = new Map()
  const stored = await storeIdentifications(
    client,
    batch.filter((one) => one.type === 'identification'),
    { grown, sent },
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
  recordDeliveries(
    client,
    batch.flatMap((one) => (one.type === 'delivery' ? [one.operation] : [])),
    sent,
  )
  const ofDomains = [...stored].flatMap(([one, { type }]) => (type === 'stored' ? [one] : []))
  letRun(sent, spendVolume(client, ofDomains, grown))
  function outcomeOf(one: Prepared): WriteOutcome | undefined {
    if (one.type === 'delivery') return { type: 'recorded' }
    if (one.type === 'decision') return decided.get(one.operation)
    return one.type === 'identification' ? stored.get(one) : refined.get(one)
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

/** Logs attempts to send events, and removes or postpones their outbox entries. */
function recordDeliveries(client: ClientBase, batch: readonly Delivery[], sent: StatementsSent): void {
  const logs = batch.map(({ log }) => log)
  letRun(sent, runIfAny(ADD_DELIVERIES, client, logs))
  const sorted = batch.toSorted((a, b) => a.outboxId - b.outboxId)
  const done = sorted.flatMap(({ outboxId, retryAt }) => (retryAt === undefined ? [{ id: outboxId }] : []))
  letRun(sent, runIfAny(REMOVE_OUTBOX, client, done))
  const retried = sorted.flatMap(({ outboxId, retryAt, log }) =>
    retryAt === undefined ? [] : [{ id: outboxId, attempts: log.attempt, due_at: retryAt }],
  )
  letRun(sent, runIfAny(POSTPONE_OUTBOX, client, retried))
}

/**
 * One unit per stored identification, and the bytes that all of them took. It comes last, because it locks the domain's row for all nodes.
 * @throws when the domain was removed meanwhile
 */
async function spendVolume(
  client: ClientBase,
  stored: readonly StoreIdentification[],
  grown: Grown,
): Promise<void> {
  const used = new Map<number, number>()
  for (const { operation } of stored)
    used.set(operation.row.domain_id, (used.get(operation.row.domain_id) ?? 0) + 1)
  const rows = [...grown]
    .map(([id, bytes]) => ({ id, count: used.get(id) ?? 0, bytes }))
    .sort((a, b) => a.id - b.id)
  if (rows.length === 0) return
  const { rowCount } = await SPEND.run(client, rows)
  if (rowCount !== rows.length) throw new Error('the domain was removed')
}

const LOCK_VISITS = arrayStatement(
  'lock visits',
  { domain_id: 'integer', request_id: 'bytes' },
  (rows, ofGiven) => `select i.id from (select distinct domain_id, request_id from ${rows}) asked
    join request_ids used using (domain_id, request_id)
    join identifications i using (domain_id, request_id, created_at)
    where ${ofGiven('i.domain_id')} and ${ofGiven('used.domain_id')}
    order by i.id for update of i`,
)
const DELIVERY_NAMES = Object.keys(DELIVERY).join(', ')
/** The record of a send that ends after its domain was removed is not stored. */
const ADD_DELIVERIES = arrayStatement(
  'insert deliveries',
  DELIVERY,
  (rows) => `insert into deliveries (${DELIVERY_NAMES}) select ${DELIVERY_NAMES} from ${rows}
    where exists (select 1 from domains where domains.id = given.domain_id)`,
)
const REMOVE_OUTBOX = arrayStatement(
  'remove outbox',
  { id: 'integer' },
  (rows) => `delete from outbox using ${rows} where outbox.id = given.id`,
)
const POSTPONE_OUTBOX = arrayStatement(
  'postpone outbox',
  { id: 'integer', attempts: 'integer', due_at: 'integer' },
  (rows) => `update outbox set attempts = given.attempts, due_at = given.due_at from ${rows}
    where outbox.id = given.id`,
)
const SPEND = arrayStatement(
  'spend',
  { id: 'integer', count: 'integer', bytes: 'integer' },
  (rows) => `update domains
    set remaining = remaining - given.count, stored_bytes = stored_bytes + given.bytes
    from ${rows} where domains.id = given.id`,
)
