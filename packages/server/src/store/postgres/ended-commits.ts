import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'pg'

/** Commits that a worker has prepared and not ended; undefined where a worker does not answer. */
type Unended = () => Promise<ReadonlySet<string> | undefined>

/** Ending a commit takes milliseconds, and rarely as long as a disk is busy. */
const PATIENCE_MS = 1_000
const ASK_AGAIN_MS = 100

/**
 * Tells whether the rows of all commits that a cluster acknowledged can be read. A commit is prepared on its worker, ended
 * on the coordinator and then on the worker. Where the worker stops before the last step, its rows appear when Citus ends
 * the commit: up to a minute after the worker is back (`citus.recover_2pc_interval`).
 * @param options.unended asks all workers, each over a new connection: see `unendedCommits`
 */
export function watchEndedCommits({ unended }: { unended: Unended }): (agoMs: number) => Promise<boolean> {
  let last: { atMs: number; ended: Promise<boolean> } | undefined
  return (agoMs) => {
    const atMs = performance.now()
    if (!last || last.atMs < atMs - agoMs) last = { atMs, ended: areEnded(unended) }
    return last.ended
  }
}

/** Most that are prepared are about to be ended, and others follow them: only those that were there at first count. */
async function areEnded(unended: Unended): Promise<boolean> {
  const first = await unended()
  if (!first) return false
  let left = first
  for (let waitedMs = 0; left.size > 0; waitedMs += ASK_AGAIN_MS) {
    if (waitedMs >= PATIENCE_MS) return false
    await pause(ASK_AGAIN_MS)
    const present = await unended()
    if (!present) return false
    left = left.intersection(present)
  }
  return true
}

/** Citus names them `citus_` and numbers. Other programs may prepare transactions as well. */
const PREPARED = `
  select string_agg(gid, ' ') from pg_prepared_xacts where database = current_database() and gid like 'citus\\_%'`
const ON_WORKERS = `select nodename || ':' || nodeport as worker, success, result from run_command_on_workers($1)`

interface Answered {
  worker: string
  success: boolean
  /** Empty without any. */
  result: string
}

/** Asks through the coordinator, which alone knows all workers. */
export const unendedCommits =
  (pool: Pool): Unended =>
  async () => {
    const { rows } = await pool.query<Answered>(ON_WORKERS, [PREPARED])
    if (!rows.every(({ success }) => success)) return undefined
    // Two workers may have one of the same name.
    const names = rows.flatMap(({ worker, result }) =>
      result === '' ? [] : result.split(' ').map((name) => `${worker} ${name}`),
    )
    return new Set(names)
  }
