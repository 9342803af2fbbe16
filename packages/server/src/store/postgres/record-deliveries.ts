import type { ClientBase } from 'pg'
import type { NewDelivery, WriteOperation } from '../write-operation.ts'
import { insertRows, overRows } from './arrays.ts'
import { DELIVERY } from './columns.ts'

type Delivery = Extract<WriteOperation, { type: 'delivery' }>

/** Records sends, and takes their events out of the outbox or puts them off, as part of a transaction. */
export async function recordDeliveries(client: ClientBase, batch: readonly Delivery[]): Promise<void> {
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
