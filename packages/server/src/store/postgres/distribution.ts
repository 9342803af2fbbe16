import { type Kysely, sql } from 'kysely'
import { AppError } from '../../lib/errors.ts'
import type { Schema } from '../schema.ts'
import { knowsCoordinator, UNKNOWN_COORDINATOR, wrongSettings } from './cluster-settings.ts'
import { createWorkerFunction } from './worker-function.ts'

/**
 * Splits the tables of visits over the workers of a Citus cluster, so that all rows of a domain are on one shard. The
 * functions are those of https://docs.citusdata.com/en/stable/develop/api_udf.html.
 */

/** In the order in which they are split: the first one decides where the shards of a domain are. */
export const SPLIT_TABLES = [
  'identifications',
  'request_ids',
  'snapshots',
  'versions',
  'sticky_verdicts',
  'velocity',
  'deliveries',
  'devices',
  'device_keys',
  'device_aliases',
  'key_spreads',
  'unlisted_keys',
  'decisions',
  'rollups',
  'pattern_findings',
  'pattern_rows',
] as const
export type SplitTable = (typeof SPLIT_TABLES)[number]

export const isSplitTable = (table: string): table is SplitTable =>
  (SPLIT_TABLES as readonly string[]).includes(table)

/** Jobs read these in the order of their numbers, whatever the domain. */
const READ_BY_NUMBER: readonly SplitTable[] = ['identifications', 'decisions', 'deliveries']

/** Citus 12 keeps a schema's keys on partitions that are made later; older ones were not tried. */
const CITUS_MIN = 12

/** How the database is spread, as it is now. */
export interface Distribution {
  /** Of Citus. */
  version: string
  /** Workers that hold shards. */
  workers: string[]
  split: SplitTable[]
  /** Tables of visits that are still on the coordinator alone. */
  whole: SplitTable[]
}

/** Undefined where PostgreSQL has no Citus. */
export async function readDistribution(db: Kysely<Schema>): Promise<Distribution | undefined> {
  const { rows: extensions } = await sql<{ version: string }>`
    select extversion as version from pg_extension where extname = 'citus'`.execute(db)
  const version = extensions[0]?.version
  if (version === undefined) return undefined
  const { rows: nodes } = await sql<{ name: string }>`
    select nodename || ':' || nodeport as name from pg_dist_node
    where shouldhaveshards and isactive and noderole = 'primary' order by nodeid`.execute(db)
  const { rows: tables } = await sql<{ name: string }>`
    select logicalrelid::text as name from pg_dist_partition where partmethod = 'h'`.execute(db)
  const isSplit = new Set(tables.map(({ name }) => name))
  return {
    version,
    workers: nodes.map(({ name }) => name),
    split: SPLIT_TABLES.filter((name) => isSplit.has(name)),
    whole: SPLIT_TABLES.filter((name) => !isSplit.has(name)),
  }
}

/** What splitting one table takes. */
export interface DistributionStep {
  table: SplitTable
  /** Rows that move to the workers. */
  rows: number
  /** The key that has to begin with the domain first, because a shard can say no more of itself; null for none. */
  key: string | null
}

/** @throws AppError `INK_INVALID_FIELD` when the cluster cannot take the tables, with what to do about it */
export async function planDistribution(db: Kysely<Schema>): Promise<DistributionStep[]> {
  const distribution = await readDistribution(db)
  if (!distribution)
    throw refused('the database has no Citus: run "create extension citus" in it, on every node')
  if (Number.parseInt(distribution.version, 10) < CITUS_MIN)
    throw refused(`Citus ${distribution.version} is too old: ${CITUS_MIN} or later is needed`)
  if (distribution.workers.length === 0)
    throw refused('the cluster has no worker: add one with "select citus_add_node(host, port)"')
  if (!(await knowsCoordinator(db))) throw refused(UNKNOWN_COORDINATOR)
  const wrong = await wrongSettings(db)
  if (wrong.length > 0) throw refused(wrong.join('; '))
  const steps: DistributionStep[] = []
  for (const table of distribution.whole) {
    const key = await primaryKey(db, table)
    const isLed = key === undefined || key.columns[0] === 'domain_id'
    steps.push({ table, rows: await countRows(db, table), key: isLed ? null : ledByDomain(key.columns) })
  }
  return steps
}

/** 0 for a table that a new installation does not have yet. */
async function countRows(db: Kysely<Schema>, table: SplitTable): Promise<number> {
  const { rows: found } = await sql`select 1 where to_regclass(${table}) is not null`.execute(db)
  if (found.length === 0) return 0
  const counted = sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`
  return (await counted.execute(db)).rows[0]?.count ?? 0
}

const ledByDomain = (columns: readonly string[]): string =>
  ['domain_id', ...columns.filter((column) => column !== 'domain_id')].join(', ')

/**
 * Splits every table that is still whole, each in a transaction of its own: after an interruption, run it again.
 * @param report called before each table and at the end
 * @throws AppError like `planDistribution`, and while servers use the database
 */
export async function distribute(
  db: Kysely<Schema>,
  report: (done: number, total: number) => void,
): Promise<Distribution> {
  await checkNoServer(db)
  const steps = await planDistribution(db)
  for (const [index, step] of steps.entries()) {
    report(index, steps.length)
    await db.transaction().execute((transaction) => splitTable(transaction, step))
  }
  await createWorkerFunction(db)
  report(steps.length, steps.length)
  return verify(db, steps)
}

/** Nodes keep prepared statements and wait for locks that this takes for long. */
async function checkNoServer(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and application_name like 'inkling %'
      and application_name <> 'inkling writes'`.execute(db)
  if ((rows[0]?.count ?? 0) > 0) throw refused('servers use the database: stop all of them first')
}

async function splitTable(transaction: Kysely<Schema>, { table }: DistributionStep): Promise<void> {
  await leadKeyByDomain(transaction, table)
  if (READ_BY_NUMBER.includes(table))
    await sql`create index ${sql.id(`${table}_number`)} on ${sql.table(table)} (id)`.execute(transaction)
  const options = table === SPLIT_TABLES[0] ? sql`` : sql`, colocate_with => ${sql.lit(SPLIT_TABLES[0])}`
  await sql`select create_distributed_table(${sql.lit(table)}, 'domain_id'${options})`.execute(transaction)
}

/** A shard can only say of itself that a key is unique, so the domain comes first in every key. */
export async function leadKeyByDomain(transaction: Kysely<Schema>, table: SplitTable): Promise<void> {
  const key = await primaryKey(transaction, table)
  if (!key || key.columns[0] === 'domain_id') return
  await sql`alter table ${sql.table(table)} drop constraint ${sql.id(key.name)}`.execute(transaction)
  await sql`alter table ${sql.table(table)} add primary key (${sql.raw(ledByDomain(key.columns))})`.execute(
    transaction,
  )
}

/** @throws Error when a table is still whole, lies apart from the others or has lost rows */
async function verify(db: Kysely<Schema>, steps: readonly DistributionStep[]): Promise<Distribution> {
  const distribution = await readDistribution(db)
  if (!distribution || distribution.whole.length > 0)
    throw new Error(`not split: ${distribution?.whole.join(', ')}`)
  const { rows: groups } = await sql<{ count: number }>`
    select count(distinct colocationid) as count from pg_dist_partition
    where logicalrelid::text in (${sql.join(SPLIT_TABLES)})`.execute(db)
  if (groups[0]?.count !== 1) throw new Error('the rows of a domain do not lie together')
  for (const { table, rows: expected } of steps) {
    const count = await countRows(db, table)
    if (count !== expected) throw new Error(`${table} had ${expected} rows and has ${count} now`)
  }
  return distribution
}

async function primaryKey(
  db: Kysely<Schema>,
  table: SplitTable,
): Promise<{ name: string; columns: string[] } | undefined> {
  const { rows } = await sql<{ name: string; columns: string[] }>`
    select conname as name, array(
      select attname::text from unnest(conkey) with ordinality as part(number, place)
      join pg_attribute on attrelid = conrelid and attnum = part.number order by place) as columns
    from pg_constraint where contype = 'p' and conrelid = to_regclass(${table})`.execute(db)
  return rows[0]
}

const refused = (message: string): AppError => new AppError('INK_INVALID_FIELD', message)
