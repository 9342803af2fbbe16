import { Pool } from 'pg'
import { type InklingDatabase, QUESTIONS, uuidOf } from './inkling-database.ts'

const HEX = "encode(request_id, 'hex')"
/** Checks every index against its table with `amcheck`, which finds torn pages and missing entries. */
const CHECK_INDEXES = `
  select bt_index_check(index.oid, true)
  from pg_class as index
  join pg_am as method on method.oid = index.relam
  join pg_namespace as namespace on namespace.oid = index.relnamespace
  where index.relkind = 'i' and method.amname = 'btree' and namespace.nspname = 'public'`

export function openPostgresDatabase(url: string): InklingDatabase {
  const pool = new Pool({ connectionString: url, max: 2 })
  // If a restart of the database closed the connection, the next query opens a new one.
  pool.on('error', () => undefined)
  const total = async (sql: string): Promise<number> => Number((await pool.query(sql)).rows[0]?.total)

  return {
    count: (table) => total(QUESTIONS.count(table)),
    async rowsByRequest() {
      const { rows } = await pool.query<{ id: string; total: string }>(QUESTIONS.rowsByRequest(HEX))
      return new Map(rows.map((row) => [uuidOf(row.id), Number(row.total)]))
    },
    async versions() {
      const { rows } = await pool.query<{ id: string; ver: string; score: number }>(QUESTIONS.versions(HEX))
      return new Map(
        rows.map(({ id, ver, score }) => [uuidOf(id), { ver: Number(ver), score: Number(score) }]),
      )
    },
    async recordedTwice() {
      const { rows } = await pool.query<{ id: string }>(QUESTIONS.recordedTwice(HEX))
      return rows.map(({ id }) => uuidOf(id))
    },
    failedSends: () => total(QUESTIONS.failedSends),
    remaining: () => total(QUESTIONS.remaining),
    async integrity() {
      await pool.query('create extension if not exists amcheck')
      try {
        await pool.query(CHECK_INDEXES)
        return 'ok'
      } catch (error) {
        return error instanceof Error ? error.message : String(error)
      }
    },
    close: () => pool.end(),
  }
}
