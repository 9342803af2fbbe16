import { Kysely } from 'kysely'
import type { PoolClient } from 'pg'
import { AppError } from '../../lib/errors.ts'
import type { Columns, ColumnType } from '../columns.ts'
import { migrate } from '../migrate.ts'
import { type ArrayStatement, insertStatement } from '../postgres/array-statement.ts'
import { OneWriterDialect } from '../postgres/locks.ts'
import { POSTGRES_MIGRATIONS } from '../postgres/migrations/index.ts'
import { makePartitions, WEEK_MS } from '../postgres/partitions.ts'
import { openPool } from '../postgres/pools.ts'
import { unreachable } from '../postgres/unreachable.ts'
import type { Schema } from '../schema.ts'
import { MOVED_TABLES, type MovedRow, type MovedTable, type RowKey } from './moved-tables.ts'

/** The database that receives the rows. No server may use it during the move. */
export interface PostgresTarget {
  columns(table: MovedTable): readonly string[]
  /** Rows with keys after `after` up to and including `upTo`; undefined stands for no limit. */
  rows(table: MovedTable, after: RowKey | undefined, upTo: RowKey | undefined): Promise<MovedRow[]>
  /** Replaces the rows in the same range. */
  replace(
    table: MovedTable,
    after: RowKey | undefined,
    upTo: RowKey | undefined,
    rows: readonly MovedRow[],
  ): Promise<void>
  count(table: MovedTable): Promise<number>
  /** @throws AppError `INK_MOVE` if it has other secrets */
  keepSecrets(text: string): Promise<void>
  /** Makes new IDs continue after the highest ones, and records the state for later runs. */
  finish(lastNumbers: ReadonlyMap<string, number>): Promise<void>
  close(): Promise<void>
}

/** Older weeks get no partition of their own. */
const WEEKS_MAX = 260

/**
 * Opens a database that is empty, or that an earlier run filled and no server has written to since.
 * @param span times of the first and last identification
 * @throws AppError `INK_MOVE` for any other database
 */
export async function openPostgresTarget(
  url: string,
  span: { firstMs: number; lastMs: number } | undefined,
): Promise<PostgresTarget> {
  const pool = openPool(url, 'jobs')
  const db = new Kysely<Schema>({ dialect: new OneWriterDialect({ pool }) })
  let client: PoolClient | undefined
  try {
    await migrate(db, POSTGRES_MIGRATIONS)
    client = await pool.connect()
    await begin(client)
    if (span) await makeWeeks(db, span)
    const types = await columnTypes(client)
    return target(client, types, async () => {
      client?.release()
      await pool.end()
    })
  } catch (error) {
    client?.release()
    await pool.end()
    throw unreachable(error, { url, setting: '--to' })
  }
}

async function makeWeeks(db: Kysely<Schema>, { firstMs, lastMs }: { firstMs: number; lastMs: number }) {
  // A single visit with a clock years ahead must not shift the partitions of all others.
  const untilMs = Math.min(lastMs, Date.now())
  const fromMs = Math.max(firstMs, untilMs - WEEKS_MAX * WEEK_MS)
  for (let ms = fromMs; ms <= untilMs; ms += WEEK_MS) await makePartitions(db, ms)
}

function target(
  client: PoolClient,
  types: ReadonlyMap<string, Columns>,
  close: () => Promise<void>,
): PostgresTarget {
  const typesOf = ({ name }: MovedTable): Columns => types.get(name) ?? {}
  const columns = (table: MovedTable) => Object.keys(typesOf(table))
  const insert = (table: MovedTable): ArrayStatement<MovedRow> =>
    insertStatement(table.name, typesOf(table)) as ArrayStatement<MovedRow>

  async function rows(table: MovedTable, after: RowKey | undefined, upTo: RowKey | undefined) {
    const { where, values } = between(table, after, upTo)
    const { rows } = await client.query<MovedRow>(
      `select ${columns(table).join()} from ${table.name} ${where} order by ${table.key.join()}`,
      values,
    )
    return rows.map(withNumbers)
  }

  return {
    columns,
    rows,
    async replace(table, after, upTo, given) {
      const { where, values } = between(table, after, upTo)
      await client.query('begin')
      try {
        await client.query(`delete from ${table.name} ${where}`, values)
        if (given.length > 0) await insert(table).run(client, given)
        await client.query('commit')
      } catch (error) {
        await client.query('rollback')
        throw error
      }
    },
    async count({ name }) {
      const { rows } = await client.query<{ rows: number }>(`select count(*) as rows from ${name}`)
      return rows[0]?.rows ?? 0
    },
    async keepSecrets(text) {
      await client.query('insert into server_secrets (id, body) values (1, $1) on conflict do nothing', [
        text,
      ])
      const { rows } = await client.query<{ body: string }>('select body from server_secrets')
      if (rows[0]?.body !== text)
        throw new AppError('INK_MOVE', 'the target has generated secrets of its own')
    },
    async finish(lastNumbers) {
      for (const name of await numberedTables(client))
        await numberAfter(client, name, lastNumbers.get(name) ?? 0)
      await client.query(`update moved_from set state = ${STATE}`)
    },
    close,
  }
}

function between({ key }: MovedTable, after: RowKey | undefined, upTo: RowKey | undefined) {
  const list = (from: number) => key.map((_, index) => `$${from + index}`).join()
  const conditions = [
    ...(after ? [`(${key.join()}) > (${list(1)})`] : []),
    ...(upTo ? [`(${key.join()}) <= (${list(after ? 1 + key.length : 1)})`] : []),
  ]
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''
  return { where, values: [...(after ?? []), ...(upTo ?? [])] }
}

/** Booleans as the embedded database stores them. */
function withNumbers(row: MovedRow): MovedRow {
  for (const [column, value] of Object.entries(row) as [string, unknown][])
    if (typeof value === 'boolean') row[column] = value ? 1 : 0
  return row
}

/** A text that changes with every write: inserts advance a sequence, and changes of keys increment the version. */
const STATE = `(
  select string_agg(sequencename || ' ' || coalesce(last_value, 0), ',' order by sequencename)
  from pg_sequences where schemaname = current_schema()
) || ' ' || (select coalesce(max(version), 0) from directory_version)`

/** @throws AppError `INK_MOVE` if the database has rows that no move has written */
async function begin(client: PoolClient): Promise<void> {
  await client.query(`create table if not exists moved_from (
    id bigint primary key check (id = 1), state text not null)`)
  const { rows } = await client.query<{ filled: boolean; ours: boolean | null }>(
    `select exists (select 1 from domains) or exists (select 1 from identifications)
      or exists (select 1 from users)
      as filled, (select state = ${STATE} from moved_from) as ours`,
  )
  const { filled, ours } = rows[0] ?? {}
  if (ours === false) throw new AppError('INK_MOVE', 'the target is in use: a server has written to it')
  if (filled && !ours) throw new AppError('INK_MOVE', 'the target is not empty')
  if (!ours) await client.query(`insert into moved_from (id, state) values (1, ${STATE})`)
  // Rows that others refer to can only be replaced once those are gone.
  for (const name of [
    'sessions',
    'users',
    'domain_rules',
    'agent_policies',
    'decision_thresholds',
    'decision_rules',
    'endpoints',
    'domains',
  ])
    await client.query(`delete from ${name}`)
}

/** Column types of `information_schema`. */
const TYPES: Readonly<Record<string, ColumnType>> = {
  bigint: 'integer',
  text: 'text',
  bytea: 'bytes',
  boolean: 'boolean',
  'double precision': 'real',
}

async function columnTypes(client: PoolClient): Promise<Map<string, Columns>> {
  const { rows } = await client.query<{ table: string; column: string; type: string }>(
    `select table_name as table, column_name as column, data_type as type from information_schema.columns
     where table_schema = current_schema() and table_name = any($1) order by table_name, ordinal_position`,
    [MOVED_TABLES.map(({ name }) => name)],
  )
  const types = new Map<string, Columns>()
  for (const { table, column, type } of rows)
    types.set(table, { ...types.get(table), [column]: TYPES[type] ?? 'text' })
  return types
}

async function numberedTables(client: PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = current_schema() and is_identity = 'YES' and table_name = any($1)`,
    [MOVED_TABLES.map(({ name }) => name)],
  )
  return rows.map(({ name }) => name)
}

async function numberAfter(client: PoolClient, table: string, last: number): Promise<void> {
  await client.query(
    `select setval(pg_get_serial_sequence($1, 'id'), greatest(1, $2, max(id)), greatest($2, max(id)) >= 1)
     from ${table}`,
    [table, last],
  )
}
