import { InklingError } from '../inkling-error.ts'
import type { ReplayStore } from './replay-store.ts'

/** What the store needs of a PostgreSQL client; a pool of `pg` is one as it is. */
export interface PostgresQueries {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>
}

export interface PostgresReplayStore extends ReplayStore {
  /** Creates the table unless it is there. Once at start, or put the statement into your migrations. */
  createTable(): Promise<void>
  /** Deletes what has expired; the table only grows until you call it, from a timer or a job. */
  sweep(): Promise<void>
}

/** A table name, possibly with a schema; anything else would be part of the statement. */
const TABLE = /^[a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)?$/

/**
 * Keeps claims in a table of your database, so that all your processes share them. Expiry is counted on
 * the database's clock.
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
      // The lock is for processes that start together: `if not exists` alone fails where two of them race.
      await database.query(
        `do $$ begin
           perform pg_advisory_xact_lock(hashtext('${table}'));
           create table if not exists ${table} (key text primary key, expires_at timestamptz not null);
         end $$`,
        [],
      )
    },
    async claim(key, ttlMs) {
      // One statement: of two callers at once, the second waits for the first and then finds its row.
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
