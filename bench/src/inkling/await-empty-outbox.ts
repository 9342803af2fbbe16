import { setTimeout as sleep } from 'node:timers/promises'
import { clockMs } from '../lib/clock.ts'
import { progress } from '../lib/progress.ts'
import type { InklingDatabase } from './inkling-database.ts'

const POLL_MS = 100
const REPORT_MS = 5_000

/** Waits until all committed events are sent and recorded. Resolves with the time that took. */
export async function awaitEmptyOutbox(database: InklingDatabase, timeoutMs: number): Promise<number> {
  const startedAt = clockMs()
  let reportAt = startedAt + REPORT_MS
  for (let left = await database.count('outbox'); left > 0; left = await database.count('outbox')) {
    const now = clockMs()
    if (now - startedAt > timeoutMs) throw new Error(`${left} events are still in the outbox`)
    if (now > reportAt) {
      progress(`${left} events are not sent yet`)
      reportAt = now + REPORT_MS
    }
    await sleep(POLL_MS)
  }
  return clockMs() - startedAt
}
