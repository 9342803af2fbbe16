import { Kysely, PostgresDialect } from 'kysely'
import type { Pool } from 'pg'
import { repeat } from '../../lib/repeat.ts'
import { createShares } from '../../lib/shares.ts'
import { takeTurns } from '../../lib/take-turns.ts'
import { secretsFile } from '../data-dir.ts'
import { type CommittedBatch, createGroupCommit } from '../group-commit.ts'
import { migrate } from '../migrate.ts'
import type { Schema } from '../schema.ts'
import {
  isRetriedByClient,
  joinWithinMs,
  type SecretsKeeper,
  type Store,
  type WriteOperation,
} from '../store.ts'
import { wrongSettings } from './cluster-settings.ts'
import { commitByWorker } from './commit-by-worker.ts'
import { postgresDevices } from './device-store.ts'
import { type Distribution, readDistribution } from './distribution.ts'
import { readShards, type Shards } from './domain-shards.ts'
import { unendedCommits, watchEndedCommits } from './ended-commits.ts'
import { knownCounts } from './known-counts.ts'
import { startPostgresListing } from './list-keys.ts'
import { OneWriterDialect, runAlone } from './locks.ts'
import { POSTGRES_MIGRATIONS } from './migrations/index.ts'
import { makePartitions } from './partitions.ts'
import { openPool } from './pools.ts'
import { unreachable } from './unreachable.ts'
import { forgetRecentRequests } from './use-requests.ts'
import { postgresVelocity } from './velocity-store.ts'
import { visitConnections } from './visit-connections.ts'
import { createWorkerFunction } from './worker-function.ts'
import { prepare, writeBatch } from './write-batch.ts'

/** How often a node that keeps running creates partitions of later weeks and forgets request IDs of other days. */
const HOURLY_MS = 3_600_000

/** Commits of a node take turns, so that each is of more visits. After this long one does not hold up those on other workers. */
const TURN_MS = 100

/** A search takes two of the six connections for requests. */
const SHARE = 2

const BYTES = 'select pg_database_size(current_database()) as bytes'
/** With what the workers have. One that does not respond is left out. */
const CLUSTER_BYTES = `
  select pg_database_size(current_database()) + coalesce(sum(result::bigint) filter (where success), 0) as bytes
  from run_command_on_workers('select pg_database_size(current_database())')`

export interface PostgresOptions {
  /** `postgres://…` */
  url: string
  /** May hold secrets from before the installation moved to PostgreSQL. */
  dataDir: string
  /** Called after each transaction of the group commit. */
  batchCommitted?: ((batch: CommittedBatch) => void) | undefined
  /** Called when background work fails; it is retried later. */
  warn(message: string, error: unknown): void
}

/**
 * Opens a PostgreSQL database, which any number of nodes share.
 * @throws AppError `INK_DATABASE_UNAVAILABLE` when it cannot be reached
 */
export async function openPostgres({ url, dataDir, batchCommitted, warn }: PostgresOptions): Promise<Store> {
  const pools = {
    commits: openPool(url, 'commits'),
    workerCommits: openPool(url, 'workerCommits'),
    visits: openPool(url, 'visits'),
    requests: openPool(url, 'requests'),
    jobs: openPool(url, 'jobs'),
    locks: openPool(url, 'locks'),
    probe: openPool(url, 'probe'),
    claims: openPool(url, 'claims'),
    writes: openPool(url, 'writes'),
    longWrites: openPool(url, 'longWrites'),
  }
  const writes = new Kysely<Schema>({ dialect: new OneWriterDialect({ pool: pools.writes }) })
  const longWrites = new Kysely<Schema>({ dialect: new OneWriterDialect({ pool: pools.longWrites }) })
  const endPools = () => Promise.all(Object.values(pools).map((pool) => pool.end()))
  let distribution: Distribution | undefined
  let shards: Shards | undefined
  try {
    // During an update, nodes of the older release keep working after the first newer one.
    await migrate(longWrites, POSTGRES_MIGRATIONS, { acceptsNewer: true })
    await makePartitions(longWrites, Date.now())
    distribution = await readDistribution(writes)
    if (distribution?.split.length) {
      checkWhole(distribution)
      await createWorkerFunction(longWrites)
      shards = readShards(pools.requests, distribution.split)
    }
  } catch (error) {
    await endPools()
    throw unreachable(error, { url, setting: 'DATABASE_URL' })
  }
  const connections = visitConnections({ url, pool: pools.visits, shards, warn })
  const known = knownCounts()
  // One PostgreSQL has one group, whose commits follow each other anyway.
  const turns = shards && { inTurn: takeTurns(TURN_MS) }
  const groupOn = (pool: Pool) =>
    createGroupCommit<WriteOperation>((batch) => writeBatch({ pool, known, shards }, batch.map(prepare)), {
      isRetriedByClient,
      joinWithinMs,
      batchCommitted,
      ...turns,
    })
  const group = shards ? commitByWorker(shards, () => groupOn(pools.workerCommits)) : groupOn(pools.commits)
  const listing = startPostgresListing(pools, warn)
  const partitions = repeat(
    HOURLY_MS,
    () => makePartitions(longWrites, Date.now()),
    (error) => warn('the partitions of the next weeks could not be created', error),
  )
  const forget = () => forgetRecentRequests(longWrites, Date.now())
  const notForgotten = (error: unknown) => warn('request IDs of other days could not be forgotten', error)
  // A node may restart more often than that, and need not wait for it.
  const forgotten = forget().catch(notForgotten)
  const requests = repeat(HOURLY_MS, forget, notForgotten)
  const reads = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: pools.requests }) })
  let closing: Promise<void> | undefined

  async function close(): Promise<void> {
    await Promise.all([listing.stop(), partitions.stop(), requests.stop(), forgotten])
    await group.idle()
    await Promise.all([endPools(), connections.end()])
  }

  return {
    engine: 'postgres',
    reads,
    jobReads: new Kysely<Schema>({ dialect: new PostgresDialect({ pool: pools.jobs }) }),
    claims: new Kysely<Schema>({ dialect: new PostgresDialect({ pool: pools.claims }) }),
    writes,
    longWrites,
    inShare: createShares(SHARE),
    probe: async () => void (await pools.probe.query('select 1 from directory_version')),
    devices: postgresDevices(pools.visits, connections),
    velocity: postgresVelocity(reads, writes),
    secrets: secretsTable(pools.requests, dataDir),
    cold: undefined,
    pool: pools.visits,
    commit: group.commit,
    areCommitsEnded: shards
      ? watchEndedCommits({ unended: unendedCommits(pools.jobs) })
      : () => Promise.resolve(true),
    alone: (job, run) => runAlone(pools.locks, job, run),
    async size() {
      const { rows } = await pools.requests.query<{ bytes: number }>(distribution ? CLUSTER_BYTES : BYTES)
      return { bytes: rows[0]?.bytes ?? 0, freeBytes: undefined }
    },
    async check() {
      const { rows } = await pools.requests.query<{ version: string; commits: string }>(
        "select current_setting('server_version') as version, current_setting('synchronous_commit') as commits",
      )
      if (rows[0]?.commits !== 'on')
        throw new Error(
          `synchronous_commit is ${rows[0]?.commits}, although the connection asks for on: acknowledged visits could be lost; if a pooler is in between, it drops options`,
        )
      return [`PostgreSQL ${rows[0]?.version}`, ...(await describeDistribution(writes))].join(', ')
    },
    close: () => {
      closing ??= close()
      return closing
    },
  }
}

/** @throws Error when tables of visits are not split like the others */
function checkWhole({ whole }: Distribution): void {
  if (whole.length > 0)
    throw new Error(`tables are not split yet: ${whole.join(', ')}; run inkling distribute`)
}

/** @throws Error when tables of visits are not split like the others, or a machine could lose commits */
async function describeDistribution(db: Kysely<Schema>): Promise<string[]> {
  const distribution = await readDistribution(db)
  if (!distribution) return []
  const { version, workers, split } = distribution
  if (split.length === 0) return [`Citus ${version} without split tables`]
  checkWhole(distribution)
  const wrong = await wrongSettings(db)
  if (wrong.length > 0) throw new Error(wrong.join('; '))
  return [`Citus ${version} over ${workers.length} workers`]
}

/** Keeps the generated secrets in a table for all nodes. Secrets in the data directory are copied into it. */
function secretsTable(pool: Pool, dataDir: string): SecretsKeeper {
  async function stored(): Promise<string | undefined> {
    const { rows } = await pool.query<{ body: string }>('select body from server_secrets')
    return rows[0]?.body
  }
  async function add(text: string): Promise<void> {
    await pool.query('insert into server_secrets (id, body) values (1, $1) on conflict do nothing', [text])
  }
  return {
    add,
    async read() {
      const known = await stored()
      if (known !== undefined) return known
      const fromFile = await secretsFile(dataDir).read()
      if (fromFile !== undefined) await add(fromFile)
      return stored()
    },
  }
}
