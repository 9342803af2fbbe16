import { InklingError } from './inkling-error.ts'
import type { ReplayStore } from './replay-store.ts'

/** The part of a PostgreSQL client that the store uses. A pool of `pg` fits as it is. */
export interface PostgresQueries {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>
}

export interface PostgresReplayStore extends ReplayStore {
  /** Creates the table if it is missing. Call it at start, or create the table in your migrations. */
  createTable(): Promise<void>
  /** Deletes expired claims. Call it from a timer or a job, since the table grows until then. */
  sweep(): Promise<void>
}

/** The name becomes part of the statement, so it may only be a table's, with or without a schema. */
const TABLE = /^[a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)?$/

/**
 * A store in a table of your database, shared by all your processes. Claims expire by the database's clock.
 *
 * @example
 * const store = postgresReplayStore(new pg.Pool())
 * await store.createTable()
 */
export function postgresReplayStore(
  database: PostgresQueries,
  { table = 'inkling_claims' }: { table?: string } = {},
): PostgresReplayStore {
  if (!TABLE.test(table)) throw new InklingError('invalid_argument', 'table must be a plain table name')
  return {
    async createTable() {
      // Two processes that create the table at once would fail in spite of `if not exists`.
      await database.query(
        `do $$ begin
           perform pg_advisory_xact_lock(hashtext('${table}'));
           create table if not exists ${table} (key text primary key, expires_at timestamptz not null);
         end $$`,
        [],
      )
    },
    async claim(key, ttlMs) {
      // In one statement, the second of two callers waits for the first and then finds its row.
      const { rows } = await database.query(
        `insert into ${table} as claims (key, expires_at)
         values ($1, clock_timestamp() + $2::double precision * interval '1 millisecond')
         on conflict (key) do update set expires_at = excluded.expires_at
           where claims.expires_at <= clock_timestamp()
         returning key`,
        [key, ttlMs],
      )
      return rows.length === 1
    },
    async release(key) {
      await database.query(`delete from ${table} where key = $1`, [key])
    },
    async sweep() {
      await database.query(`delete from ${table} where expires_at <= clock_timestamp()`, [])
    },
  }
}
