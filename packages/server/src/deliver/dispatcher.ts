import type { Endpoint } from '../auth/directory.ts'
import type { OutboxRow } from '../store/outbox/outbox.ts'
import type { NewDelivery, WriteOperation, WriteOutcome } from '../store/store.ts'
import type { Attempt } from './attempt.ts'
import { createDeliveryRecords } from './delivery-records.ts'
import { eventTypeOf } from './webhook-events.ts'

/** How long the process that wrote or claimed an entry has it to itself. */
export const HOLD_MS = 10_000
/** A send that starts later than this before the hold ends could still run when another process takes over. */
const SEND_MARGIN_MS = 2_000
/** Sends under way to one endpoint; a slow receiver fills its own places and nobody else's. */
const PER_ENDPOINT_MAX = 32
/** Sends to one endpoint that wait for their record: a kill leaves so many to be repeated, and in an outage more. */
const UNRECORDED_MAX = 128
/** Entries kept in memory for one endpoint; what is above waits in the database. */
const QUEUE_MAX = 10_000
const CLAIM_MAX = 500

export interface DispatcherDeps {
  /** Undefined when the endpoint was removed or switched off. */
  endpoint(id: number): Endpoint | undefined
  send(endpoint: Endpoint, entry: OutboxRow): Promise<Attempt>
  claim(nowMs: number, heldUntil: number, limit: number): Promise<OutboxRow[]>
  anyDue(nowMs: number): Promise<boolean>
  /** Gives up the hold of entries that were not sent: they are due at once, for whoever looks. */
  release(ids: readonly number[], nowMs: number): Promise<void>
  commit(operation: WriteOperation): Promise<WriteOutcome>
  retries: number
  now(): number
  warn(message: string, error: unknown): void
}

export interface Dispatcher {
  /** Takes entries that this process has just committed and holds. */
  enqueue(entries: readonly OutboxRow[]): void
  /** Takes what nobody holds: left by a process that died, postponed, or too much for memory. */
  sweep(): Promise<void>
  /** Ends a sweep under way after the page it is at, and lets none begin. */
  stopSweeping(): void
  /** What is in memory: entries that wait for a place in their lane, and sends under way or not recorded yet. */
  load(): { queued: number; sending: number }
  /** Resolves when the sends under way have been recorded, and what waited is released; takes nothing more. */
  drain(): Promise<void>
}

interface Lane {
  queue: OutboxRow[]
  sending: number
  /** Under way, or ended and not recorded. */
  unrecorded: number
}

/** Sends events from the outbox, each endpoint in a lane of its own. */
export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const lanes = new Map<number, Lane>()
  /** Entries in a queue or under way, by ID. */
  const here = new Map<number, OutboxRow>()
  const records = createDeliveryRecords(deps)
  let stopped = false
  let sweepingEnded = false
  let underWay = 0
  let sweeping = false
  const whenDrained: PromiseWithResolvers<void>[] = []

  function laneOf(endpointId: number): Lane {
    const known = lanes.get(endpointId)
    if (known) return known
    const lane: Lane = { queue: [], sending: 0, unrecorded: 0 }
    lanes.set(endpointId, lane)
    return lane
  }

  /** Whether the entry is this dispatcher's to see to. */
  function take(entry: OutboxRow): boolean {
    if (stopped) return false
    const known = here.get(entry.id)
    // The clock went ahead, and the sweep claimed what is being sent.
    if (known) known.due_at = entry.due_at
    if (known || records.isSent(entry)) return true
    const lane = laneOf(entry.endpoint_id)
    if (lane.queue.length >= QUEUE_MAX) return false
    lane.queue.push(entry)
    here.set(entry.id, entry)
    pump(lane)
    return true
  }

  /** Takes a page of what is due; whether there may be more that can be taken. */
  async function takePage(): Promise<boolean> {
    const claimed = await deps.claim(deps.now(), deps.now() + HOLD_MS, CLAIM_MAX)
    const left = claimed.filter((entry) => !take(entry))
    if (left.length > 0)
      await deps.release(
        left.map(({ id }) => id),
        deps.now(),
      )
    return left.length === 0 && claimed.length === CLAIM_MAX
  }

  const isHeld = (entry: OutboxRow): boolean => entry.due_at - SEND_MARGIN_MS >= deps.now()

  function pump(lane: Lane): void {
    while (lane.sending < PER_ENDPOINT_MAX && lane.unrecorded < UNRECORDED_MAX) {
      const entry = lane.queue.shift()
      if (!entry) break
      // Its hold is about to end: another process may take it, so this one must not send it too.
      if (!isHeld(entry)) {
        here.delete(entry.id)
        continue
      }
      lane.sending += 1
      lane.unrecorded += 1
      underWay += 1
      // The next one need not wait for the record of this one, which waits for company.
      const sent = () => {
        lane.sending -= 1
        pump(lane)
      }
      void deliver(entry, sent).finally(() => {
        here.delete(entry.id)
        lane.unrecorded -= 1
        underWay -= 1
        pump(lane)
        if (underWay === 0) for (const drained of whenDrained.splice(0)) drained.resolve()
      })
    }
  }

  async function attemptOf(entry: OutboxRow): Promise<Attempt> {
    const endpoint = deps.endpoint(entry.endpoint_id)
    return endpoint ? deps.send(endpoint, entry) : switchedOff(deps.now())
  }

  async function deliver(entry: OutboxRow, sent: () => void): Promise<void> {
    try {
      const attempt = await attemptOf(entry).finally(sent)
      const again = attempt.retryable && entry.attempts < deps.retries
      await records.record(entry, {
        type: 'delivery',
        outboxId: entry.id,
        log: deliveryLog(entry, attempt),
        retryAt: again ? deps.now() + retryDelayMs(entry.attempts) : undefined,
      })
    } catch (error) {
      // The entry stays in the outbox and is sent when its hold ends.
      deps.warn('an event could not be sent', error)
    }
  }

  return {
    enqueue(entries) {
      for (const entry of entries) take(entry)
    },
    async sweep() {
      if (sweepingEnded || sweeping) return
      sweeping = true
      try {
        await records.tryAgain()
        let mayBeMore = true
        while (mayBeMore && !sweepingEnded && (await deps.anyDue(deps.now()))) mayBeMore = await takePage()
      } finally {
        sweeping = false
      }
    },
    stopSweeping() {
      sweepingEnded = true
    },
    load: () => ({
      queued: [...lanes.values()].reduce((sum, { queue }) => sum + queue.length, 0),
      sending: underWay,
    }),
    async drain() {
      stopped = true
      sweepingEnded = true
      const left = [...lanes.values()].flatMap(({ queue }) => queue.splice(0))
      if (underWay > 0) {
        const drained = Promise.withResolvers<void>()
        whenDrained.push(drained)
        await drained.promise
      }
      await records.tryAgain()
      try {
        await deps.release(
          left.filter(isHeld).map(({ id }) => id),
          deps.now(),
        )
      } catch (error) {
        // They are sent when their hold ends.
        deps.warn('events could not be handed over', error)
      }
    },
  }
}

const switchedOff = (nowMs: number): Attempt => ({
  sentAt: nowMs,
  durationMs: 0,
  status: undefined,
  error: 'the endpoint was removed or disabled before the event left',
  retryable: false,
})

function deliveryLog(entry: OutboxRow, attempt: Attempt): NewDelivery {
  return {
    domain_id: entry.domain_id,
    endpoint_id: entry.endpoint_id,
    request_id: entry.request_id,
    event_id: entry.event_id,
    event_type: eventTypeOf(entry.body),
    attempt: entry.attempts + 1,
    sent_at: attempt.sentAt,
    duration_ms: attempt.durationMs,
    status: attempt.status ?? null,
    error: attempt.error ?? null,
    body: entry.body,
  }
}

const FIRST_MS = 1_000
const FACTOR = 2.5

/**
 * Wait before the next send. Eight sends, the most the contract knows, fit well into its fifteen minutes:
 * 1 + 2.5 + 6.25 + … + 244 s is under seven.
 * @param attemptsBefore sends before the one that has just failed
 */
export const retryDelayMs = (attemptsBefore: number): number =>
  Math.round(FIRST_MS * FACTOR ** attemptsBefore)
