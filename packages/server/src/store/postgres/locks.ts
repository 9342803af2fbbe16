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
