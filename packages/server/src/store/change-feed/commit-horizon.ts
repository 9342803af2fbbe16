import { sql } from 'kysely'
import { newestNumber } from '../identifications/id-range.ts'
import { LOCKS } from '../postgres/locks.ts'
import type { Store } from '../store.ts'

type Reads = Pick<Store, 'engine' | 'jobReads' | 'areCommitsEnded'>

/** Up to these numbers no identification and no decision can appear any more. */
export interface CommitHorizon {
  identification: number
  decision: number
}

const ASK_AGAIN_MS = 50

/**
 * Waits for the commits that run. On PostgreSQL a row with a lower number may be committed after one with a higher
 * number, however late: its transaction may wait for a lock. But every commit takes its numbers while it holds a shared
 * lock. So once all that held the lock after a number was drawn have ended, no lower number is under way.
 * @returns undefined when one of them still runs after `patienceMs`, or a worker has not ended one
 */
export async function commitHorizon(
  store: Reads,
  { patienceMs, pause }: { patienceMs: number; pause(ms: number): Promise<unknown> },
): Promise<CommitHorizon | undefined> {
  const horizon = {
    identification: await newestNumber(store.jobReads, 'identifications'),
    decision: await newestNumber(store.jobReads, 'decisions'),
  }
  if (store.engine === 'sqlite') return horizon
  const awaited = new Set(await runningCommits(store))
  for (let waitedMs = 0; ; waitedMs += ASK_AGAIN_MS) {
    const running = await runningCommits(store)
    // Last: one that held the lock has been acknowledged, and its worker may have yet to end it.
    if (!running.some((commit) => awaited.has(commit)))
      return (await store.areCommitsEnded(0)) ? horizon : undefined
    if (waitedMs >= patienceMs) return undefined
    await pause(ASK_AGAIN_MS)
  }
}

/** Transactions that hold the lock of commits. PostgreSQL uses none of these names again. */
async function runningCommits({ jobReads }: Reads): Promise<string[]> {
  const { rows } = await sql<{ virtualtransaction: string }>`
    select virtualtransaction from pg_locks
    where locktype = 'advisory' and granted and classid = 0 and objid = ${LOCKS.commits} and objsubid = 1
      and database = (select oid from pg_database where datname = current_database())`.execute(jobReads)
  return rows.map(({ virtualtransaction }) => virtualtransaction)
}
