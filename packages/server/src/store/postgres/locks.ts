import {
  CompiledQuery,
  type DatabaseConnection,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type TransactionSettings,
} from 'kysely'
import type { Pool } from 'pg'
import type { JobName } from '../store.ts'

/** Keys of advisory locks: arbitrary numbers that no other user of the database takes. */
const FIRST_LOCK = 0x1_4b_11_00
export const LOCKS: Record<JobName | 'writes' | 'commits', number> = {
  writes: FIRST_LOCK,
  rollups: FIRST_LOCK + 1,
  patterns: FIRST_LOCK + 2,
  retention: FIRST_LOCK + 3,
  listing: FIRST_LOCK + 4,
  /** Commits of identifications share it; who takes it alone waits for them and stops new ones. */
  commits: FIRST_LOCK + 5,
  velocity: FIRST_LOCK + 6,
  cases: FIRST_LOCK + 7,
  alerts: FIRST_LOCK + 8,
  alert_checks: FIRST_LOCK + 9,
  change_feed: FIRST_LOCK + 10,
  cold_storage: FIRST_LOCK + 11,
  scrubs: FIRST_LOCK + 12,
}

/** First of two keys of the locks of domains whose visits are counted; the second is the domain. */
export const COUNTS_LOCK = FIRST_LOCK

/**
 * Runs a job while holding its lock. A node that dies loses the lock with its connection.
 * @returns undefined when another node holds the lock
 */
export async function runAlone<Result>(
  pool: Pool,
  job: JobName,
  run: () => Promise<Result>,
): Promise<Result | undefined> {
  const client = await pool.connect()
  let failure: Error | undefined
  try {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      LOCKS[job],
    ])
    if (!rows[0]?.locked) return undefined
    try {
      return await run()
    } finally {
      await client.query('select pg_advisory_unlock($1)', [LOCKS[job]])
    }
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    // After an error the connection may still hold the lock, so it is closed.
    client.release(failure)
  }
}

/**
 * Kysely dialect whose transactions run one at a time across all nodes, as in SQLite. They are rare and change what
 * they have just read. Commits of identifications do not wait for them.
 */
export class OneWriterDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig
  constructor(config: PostgresDialectConfig) {
    super(config)
    this.#config = config
  }
  override createDriver(): PostgresDriver {
    return new OneWriterDriver(this.#config)
  }
}

class OneWriterDriver extends PostgresDriver {
  override async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    await super.beginTransaction(connection, settings)
    try {
      await connection.executeQuery(CompiledQuery.raw('select pg_advisory_xact_lock($1)', [LOCKS.writes]))
    } catch (error) {
      // Nobody else ends what was begun, and the pool would lend the connection with its failed transaction.
      await connection.executeQuery(CompiledQuery.raw('rollback')).catch(() => undefined)
      throw error
    }
  }
}
