import { awaitEmptyOutbox } from '../inkling/await-empty-outbox.ts'
import type { InklingDatabase } from '../inkling/inkling-database.ts'
import type { SaturateOptions } from '../load/saturate.ts'
import type { RemoteReceiver } from '../receive/start-receiver.ts'
import { type Round, runRound } from './run-round.ts'

const DRAIN_TIMEOUT_MS = 300_000

export interface SaturatedWithWebhooks extends Round {
  /** Time from the end of the load until the last event was sent. */
  drainedAfterMs: number
  /** Request IDs with at least one event. */
  delivered: number
  /** Events beyond the first of their request ID. */
  repeated: number
  /** Deliveries that the server recorded as failed. */
  failedSends: number
}

/** Full load on a domain that sends an event for every identification. */
export async function saturateWithWebhooks(
  pids: readonly number[],
  load: SaturateOptions,
  receiver: RemoteReceiver,
  database: InklingDatabase,
): Promise<SaturatedWithWebhooks> {
  const before = await count(receiver)
  const round = await runRound(pids, load)
  const drainedAfterMs = await awaitEmptyOutbox(database, DRAIN_TIMEOUT_MS)
  const after = await count(receiver)
  return {
    ...round,
    drainedAfterMs,
    delivered: after.requests - before.requests,
    repeated: after.events - after.requests - (before.events - before.requests),
    failedSends: await database.failedSends(),
  }
}

async function count(receiver: RemoteReceiver): Promise<{ requests: number; events: number }> {
  const arrivals = await receiver.arrivals()
  let events = 0
  for (const times of arrivals.values()) events += times.length
  return { requests: arrivals.size, events }
}
