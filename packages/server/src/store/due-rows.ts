import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import type { Schema } from './schema.ts'

/** Tables whose rows are taken when they are due, by one node at a time. */
type DueTable = 'outbox' | 'alert_deliveries'

/**
 * Takes rows; they belong to the caller until `heldUntil`.
 * @param due a subquery for their IDs
 */
export async function takeRows<Table extends DueTable>(
  db: Kysely<Schema>,
  table: Table,
  due: RawBuilder<unknown>,
  heldUntil: number,
): Promise<Selectable<Schema[Table]>[]> {
  // Materialized, because PostgreSQL may otherwise evaluate it for each row and lock other rows each time.
  const taken = sql<Selectable<Schema[Table]>>`
    with due as materialized (${due})
    update ${sql.table(table)} set due_at = ${heldUntil} where id in (select id from due) returning *`
  return (await taken.execute(db)).rows
}
