import type { ClientBase, Pool } from 'pg'
import { compressSnapshot } from '../identifications/snapshots.ts'
import type { NewDelivery, WriteOperation, WriteOutcome } from '../store.ts'
import { isOutage } from '../store-error.ts'
import { insertRows, overRows } from './array-statement.ts'
import { DELIVERY } from './columns.ts'
import { type RefineIdentification, refineIdentifications } from './refine-identifications.ts'
import {
  LostRace,
  type StoreIdentification,
  spendVolume,
  storeIdentifications,
} from './store-identifications.ts'

type Delivery = Extract<WriteOperation, { type: 'delivery' }>
/** An operation whose snapshot is compressed, which takes no turn of the database. */
export type Prepared = StoreIdentification | RefineIdentification | { type: 'delivery'; operation: Delivery }

const TRIES_MAX = 5
/** Serialization failure, deadlock: the same again may well succeed. */
const RETRYABLE = new Set(['40001', '40P01'])

export function prepare(operation: WriteOperation): Prepared {
  if (operation.type === 'delivery') return { type: 'delivery', operation }
  if (operation.type === 'listing') throw new Error('keys are listed by a job')
  const snapshot = operation.snapshot === undefined ? undefined : compressSnapshot(operation.snapshot)
  return operation.type === 'identification'
    ? { type: 'identification', operation, snapshot }
    : { type: 'refinement', operation, snapshot }
}

/**
 * Writes a batch in one transaction. When it is refused each operation is tried on its own, so that the one that is
 * to blame fails alone.
 * @throws when the database cannot be used: nothing was acknowledged
 */
export async function writeBatch(pool: Pool, batch: readonly Prepared[]): Promise<WriteOutcome[]> {
  try {
    return await tryAgain(pool, batch)
  } catch (error) {
    if (isOutage(error)) throw error
    if (batch.length === 1) return [{ type: 'failed', message: String(error), outage: false }]
    const outcomes: WriteOutcome[] = []
    for (const one of batch) outcomes.push(...(await writeBatch(pool, [one])))
    return outcomes
  }
}

async function tryAgain(pool: Pool, batch: readonly Prepared[], tries = 1): Promise<WriteOutcome[]> {
  try {
    return await inTransaction(pool, (client) => writeAll(client, batch))
  } catch (error) {
    const isWorthIt = error instanceof LostRace || RETRYABLE.has(codeOf(error))
    if (!isWorthIt || tries === TRIES_MAX) throw error
    return tryAgain(pool, batch, tries + 1)
  }
}

export async function inTransaction<Result>(
  pool: Pool,
  run: (client: ClientBase) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('begin')
    const result = await run(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      broken = failure
    })
    throw error
  } finally {
    client.release(broken)
  }
}

async function writeAll(client: ClientBase, batch: readonly Prepared[]): Promise<WriteOutcome[]> {
  const stored = await storeIdentifications(
    client,
    batch.filter((one) => one.type === 'identification'),
  )
  const refined = await refineIdentifications(
    client,
    batch.filter((one) => one.type === 'refinement'),
  )
  await recordDeliveries(
    client,
    batch.flatMap((one) => (one.type === 'delivery' ? [one.operation] : [])),
  )
  await spendVolume(
    client,
    [...stored].flatMap(([one, { type }]) => (type === 'stored' ? [one] : [])),
  )
  return batch.map((one) => {
    if (one.type === 'delivery') return { type: 'recorded' }
    const outcome = one.type === 'identification' ? stored.get(one) : refined.get(one)
    if (!outcome) throw new Error('an operation was passed over')
    return outcome
  })
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

type RecordedDelivery = Extract<WriteOperation, { type: 'delivery' }>

/** Records sends, and takes their events out of the outbox or puts them off, as part of a transaction. */
export async function recordDeliveries(
  client: ClientBase,
  batch: readonly RecordedDelivery[],
): Promise<void> {
  if (batch.length === 0) return
  await ADD.run(
    client,
    batch.map(({ log }) => log),
  )
  const inOrder = batch.toSorted((a, b) => a.outboxId - b.outboxId)
  const done = inOrder.flatMap(({ outboxId, retryAt }) => (retryAt === undefined ? [{ id: outboxId }] : []))
  if (done.length > 0) await REMOVE.run(client, done)
  const again = inOrder.flatMap(({ outboxId, retryAt, log }) =>
    retryAt === undefined ? [] : [{ id: outboxId, attempts: log.attempt, due_at: retryAt }],
  )
  if (again.length > 0) await POSTPONE.run(client, again)
}

const ADD = insertRows<NewDelivery>('deliveries', DELIVERY)
const REMOVE = overRows<{ id: number }>(
  'remove outbox',
  { id: 'bigint' },
  (rows) => `delete from outbox using ${rows} where outbox.id = given.id`,
)
const POSTPONE = overRows<{ id: number; attempts: number; due_at: number }>(
  'postpone outbox',
  { id: 'bigint', attempts: 'bigint', due_at: 'bigint' },
  (rows) => `update outbox set attempts = given.attempts, due_at = given.due_at from ${rows}
    where outbox.id = given.id`,
)
