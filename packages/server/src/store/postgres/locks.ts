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

/** Numbers of advisory locks: any will do, as long as nobody else in the database uses them. */
const FIRST_LOCK = 0x1_4b_11_00
export const LOCKS: Record<JobName | 'writes', number> = {
  writes: FIRST_LOCK,
  rollups: FIRST_LOCK + 1,
  patterns: FIRST_LOCK + 2,
  retention: FIRST_LOCK + 3,
  listing: FIRST_LOCK + 4,
}

/** Runs a job unless another node runs it. A node that dies loses the lock with its connection. */
export async function runAlone<Result>(
  pool: Pool,
  job: JobName,
  run: () => Promise<Result>,
): Promise<Result | undefined> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [
      LOCKS[job],
    ])
    if (!rows[0]?.mine) return undefined
    try {
      return await run()
    } finally {
      await client.query('select pg_advisory_unlock($1)', [LOCKS[job]])
    }
  } catch (error) {
    broken = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    // A connection that may still hold the lock is not used again.
    client.release(broken)
  }
}

/**
 * Kysely whose transactions run one at a time over all nodes, as SQLite's do: they are rare, and read what they
 * are about to change. Commits of identifications do not wait for them.
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
    await connection.executeQuery(CompiledQuery.raw('select pg_advisory_xact_lock($1)', [LOCKS.writes]))
  }
}
