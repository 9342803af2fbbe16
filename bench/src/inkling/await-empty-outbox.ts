import { setTimeout as sleep } from 'node:timers/promises'
import { clockMs } from '../lib/clock.ts'
import { progress } from '../lib/progress.ts'
import type { InklingDatabase } from './inkling-database.ts'

const POLL_MS = 100
const REPORT_MS = 5_000

/** Waits until every committed event has been sent and recorded; resolves with how long that took. */
export async function awaitEmptyOutbox(database: InklingDatabase, timeoutMs: number): Promise<number> {
  const startedAt = clockMs()
  let reportAt = startedAt + REPORT_MS
  for (let left = await database.count('outbox'); left > 0; left = await database.count('outbox')) {
    const now = clockMs()
    if (now - startedAt > timeoutMs) throw new Error(`${left} events are still in the outbox`)
    if (now > reportAt) {
      progress(`${left} events are still to be sent`)
      reportAt = now + REPORT_MS
    }
    await sleep(POLL_MS)
  }
  return clockMs() - startedAt
}
