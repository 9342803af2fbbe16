import type { ClientBase, QueryResultRow } from 'pg'
import type { Columns, ColumnType, RowOf } from '../columns.ts'
import { arrayType, binaryArrays } from './binary-array.ts'
import { isSplitTable, type SplitTable } from './distribution.ts'
import type { DomainShards } from './domain-shards.ts'
import { turnsOf, type WorkerTurns } from './worker-turns.ts'

/** Where a statement runs: on a database with whole tables, or on the shards of a domain. */
export interface Place {
  table(name: SplitTable): string
  /** What a new row of a table gets as its number: the next one, or on a shard, which has none, that of the given row. */
  number(table: SplitTable): string
  /** A condition that fails where the shards of the domain are no longer on this machine. */
  isHere: string
}

const WHOLE: Place = {
  table: (name) => name,
  number: (table) => `nextval('${table}_id_seq')`,
  isHere: 'true',
}
const onShards = ({ table, shard, worker }: DomainShards): Place => ({
  table,
  number: () => 'given.id',
  isHere: `(select ${guard('count(*) = 1')} from pg_dist_placement
    where shardid = ${shard} and groupid = ${worker.group}) = 1`,
})

/** A prepared statement whose parameters are arrays, so that its text never changes. */
export interface Statement<Row> {
  /** @param arrays in the order of the parameters */
  run(client: ClientBase, arrays: Arrays): Promise<Row[]>
  /** Runs it on a connection to the worker that has the domain. */
  runAt(shards: DomainShards, client: ClientBase, arrays: Arrays): Promise<Row[]>
}
type Arrays = readonly (readonly unknown[])[]

/**
 * @param name under which connections prepare the statement
 * @param text builds the SQL from expressions for the parameters. It asks `place` for the name of each table that may be
 *   split over machines
 */
export function statement<Row extends QueryResultRow>(
  name: string,
  parameters: readonly ColumnType[],
  text: (parameters: readonly string[], place: Place) => string,
): Statement<Row> {
  const placeholders = parameters.map((type, index) => `$${index + 1}::${arrayType(type)}`)
  const whole = text(placeholders, WHOLE)
  async function query(client: ClientBase, prepared: { name: string; text: string }, arrays: Arrays) {
    const values = binaryArrays(client, parameters, arrays)
    const { rows } = await client.query<Row>({ ...prepared, values })
    return rows
  }
  return {
    run: (client, arrays) => query(client, { name, text: whole }, arrays),
    runAt: (shards, client, arrays) =>
      query(
        client,
        { name: `${name} on ${shards.shard}`, text: text(placeholders, onShards(shards)) },
        arrays,
      ),
  }
}

/** A prepared statement over any number of rows. Each column is one array. */
export interface ArrayStatement<Row, Answered = unknown> {
  run(client: ClientBase, rows: readonly Row[]): Promise<Answered[]>
}

/**
 * @param text like that of `statement`; `rows` is a table expression for `from`, with the alias `given`. One that asks for
 *   a table that may be split must name no other: it runs on the worker then, once for each shard, and `given` has the
 *   rows whose `domain_id` is there
 * @param answer the columns that it returns
 */
export function arrayStatement<Definition extends Columns, Answered extends Columns>(
  name: string,
  columns: Definition,
  text: (rows: string, place: Place) => string,
  answer?: Answered,
): ArrayStatement<RowOf<Definition>, RowOf<Answered>> {
  type Row = RowOf<Definition>
  const entries = Object.entries(columns) as [keyof Row & string, ColumnType][]
  const types = entries.map(([, type]) => type)
  const names = entries.map(([column]) => column).join(', ')
  const arraysOf = (rows: readonly Row[]): Arrays => entries.map(([column]) => rows.map((row) => row[column]))
  const textOf = (arrays: readonly string[], place: Place): string =>
    text(`unnest(${arrays.join(', ')}) as given(${names})`, place)

  let isSplit = false
  const noting: Place = {
    ...WHOLE,
    table(table) {
      isSplit = true
      return table
    },
  }
  textOf([], noting)
  const whole = statement<RowOf<Answered>>(name, types, textOf)

  function runOnWorker(turns: WorkerTurns, rows: readonly Row[]) {
    const byShard = Map.groupBy(rows, (row) => turns.shardsOf(Number(row.domain_id)).shard)
    const asked = [...byShard]
      // In this order everywhere, so that transactions cannot deadlock.
      .sort(([a], [b]) => a - b)
      .map(([, ofShard]) => {
        const place = onShards(turns.shardsOf(Number(ofShard[0]?.domain_id)))
        const arrays = arraysOf(ofShard)
        return turns.ask(
          (array) =>
            textOf(
              types.map((type, index) => array(type, arrays[index] ?? [])),
              place,
            ),
          answer,
        )
      })
    return Promise.all(asked).then((answers) => answers.flat())
  }

  return {
    run(client, rows) {
      const turns = isSplit ? turnsOf(client) : undefined
      return turns ? runOnWorker(turns, rows) : whole.run(client, arraysOf(rows))
    },
  }
}

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
    (rows, place) =>
      `insert into ${isSplitTable(table) ? place.table(table) : table} (${names}) select ${names} from ${rows}`,
  )
}

const NUMBER = { id: 'integer or null' } as const

/** Inserts rows that get their numbers where they are inserted, or as `new-numbers.ts` says. */
export function insertNumbered<Definition extends Columns>(
  table: SplitTable,
  columns: Definition,
): ArrayStatement<RowOf<Definition & typeof NUMBER>> {
  const names = Object.keys(columns).join(', ')
  return arrayStatement(
    `insert ${table}`,
    { ...columns, ...NUMBER },
    (rows, place) =>
      `insert into ${place.table(table)} (${names}, id) select ${names}, ${place.number(table)} from ${rows}`,
  )
}

/** Runs a statement unless there are no rows, which would cost a round trip for nothing. */
export async function runIfAny<Row>(
  statement: ArrayStatement<Row, unknown>,
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
