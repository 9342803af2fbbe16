import type { ClientBase, QueryResult, QueryResultRow } from 'pg'
import type { Columns, ColumnType } from './columns.ts'

/** A statement over any number of rows: one array for each column, so that its text is always the same. */
export interface ArrayStatement<Row> {
  run<Result extends QueryResultRow>(client: ClientBase, rows: readonly Row[]): Promise<QueryResult<Result>>
}

/**
 * @param name under which a connection keeps the statement prepared
 * @param text of the statement, of the rows' arrays as `unnest` lists them
 */
export function overRows<Row extends object>(
  name: string,
  columns: Columns<Row>,
  text: (rows: string) => string,
): ArrayStatement<Row> {
  const entries = Object.entries(columns) as [keyof Row & string, ColumnType][]
  const arrays = entries.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ')
  const names = entries.map(([column]) => column).join(', ')
  const statement = { name, text: text(`unnest(${arrays}) as given(${names})`) }
  return {
    run: (client, rows) =>
      client.query({
        ...statement,
        values: entries.map(([column]) => rows.map((row) => row[column] ?? null)),
      }),
  }
}

/** Inserts rows into a table. */
export function insertRows<Row extends object>(table: string, columns: Columns<Row>): ArrayStatement<Row> {
  const names = Object.keys(columns).join(', ')
  return overRows(
    `insert ${table}`,
    columns,
    (rows) => `insert into ${table} (${names}) select ${names} from ${rows}`,
  )
}

/** Splits into the fewest rounds in which no two touch the same thing; those that do keep their order. */
export function inRounds<Item>(items: readonly Item[], touched: (item: Item) => readonly string[]): Item[][] {
  const rounds: Item[][] = []
  const lastRound = new Map<string, number>()
  for (const item of items) {
    const names = touched(item)
    const index = Math.max(-1, ...names.map((name) => lastRound.get(name) ?? -1)) + 1
    const round = rounds[index] ?? []
    rounds[index] = round
    round.push(item)
    for (const name of names) lastRound.set(name, index)
  }
  return rounds
}

export const hexOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
