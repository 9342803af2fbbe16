import type { ClientBase, QueryResult, QueryResultRow } from 'pg'
import type { Columns, ColumnType, RowOf } from '../columns.ts'
import { arrayType, binaryArray } from './binary-array.ts'
import { commitsToShards } from './pools.ts'

/** A prepared statement over any number of rows. Each column is one array parameter, so its text never changes. */
export interface ArrayStatement<Row> {
  run<Result extends QueryResultRow>(client: ClientBase, rows: readonly Row[]): Promise<QueryResult<Result>>
}

/**
 * @param name under which connections prepare the statement
 * @param text builds the SQL; `rows` is a table expression for `from`, with the alias `given`. A statement that locks or
 *   changes rows has `ofGiven('t.domain_id')` among its conditions for each table that may be split over machines: there
 *   it compares the column with the domains of the rows, so that the planner knows the shard. Elsewhere it is always
 *   true, because a planner that expects few rows of a domain would read all of them instead of those that are asked for
 */
export function arrayStatement<Definition extends Columns>(
  name: string,
  columns: Definition,
  text: (rows: string, ofGiven: (column: string) => string) => string,
): ArrayStatement<RowOf<Definition>> {
  const entries = Object.entries(columns) as [keyof Definition & string, ColumnType][]
  const arrays = entries.map(([, type], index) => `$${index + 1}::${arrayType(type)}`).join(', ')
  const names = entries.map(([column]) => column).join(', ')
  const rows = `unnest(${arrays}) as given(${names})`
  const whole = { name, text: text(rows, () => 'true') }
  const split = { name, text: text(rows, (column) => `${column} = any($${entries.length + 1}::bigint[])`) }
  const namesShards = split.text !== whole.text
  return {
    run(client, given) {
      const values: unknown[] = entries.map(([column, type]) =>
        binaryArray(
          type,
          given.map((row) => row[column]),
        ),
      )
      return namesShards && commitsToShards(client)
        ? client.query({ ...split, values: [...values, domainsOf(given)] })
        : client.query({ ...whole, values })
    },
  }
}

const domainsOf = (rows: readonly { domain_id?: unknown }[]): unknown[] => [
  ...new Set(rows.map(({ domain_id }) => domain_id)),
]

/** SQLSTATE of a division by zero. */
export const GUARD_FAILED = '22012'

/**
 * SQL that fails unless the condition is true, so that the commit sent behind it rolls back. A condition over what the
 * statement wrote is not known to the planner, which would else divide in advance.
 */
export const guard = (condition: string): string => `1 / (${condition})::int`

/** Inserts rows into a table. */
export function insertStatement<Definition extends Columns>(
  table: string,
  columns: Definition,
): ArrayStatement<RowOf<Definition>> {
  const names = Object.keys(columns).join(', ')
  return arrayStatement(
    `insert ${table}`,
    columns,
    (rows) => `insert into ${table} (${names}) select ${names} from ${rows}`,
  )
}

/** Runs a statement unless there are no rows, which would cost a round trip for nothing. */
export async function runIfAny<Row>(
  statement: ArrayStatement<Row>,
  client: ClientBase,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length > 0) await statement.run(client, rows)
}

/**
 * Splits items into the fewest batches in which no two share a key. Items that share one keep their order. A statement
 * over many rows needs this, because it changes each row once at most.
 */
export function conflictFreeBatches<Item>(
  items: readonly Item[],
  keysOf: (item: Item) => readonly string[],
): Item[][] {
  const batches: Item[][] = []
  const lastBatch = new Map<string, number>()
  for (const item of items) {
    const keys = keysOf(item)
    const index = Math.max(-1, ...keys.map((key) => lastBatch.get(key) ?? -1)) + 1
    const batch = batches[index] ?? []
    batches[index] = batch
    batch.push(item)
    for (const key of keys) lastBatch.set(key, index)
  }
  return batches
}

export const hexOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
