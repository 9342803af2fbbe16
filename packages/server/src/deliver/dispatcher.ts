import type { Endpoint } from '../auth/directory.ts'
import type { OutboxRow } from '../store/outbox/outbox.ts'
import { packText } from '../store/packed/packed-text.ts'
import type { NewDelivery, WriteOperation, WriteOutcome } from '../store/store.ts'
import type { Attempt } from './attempt.ts'
import { createDeliveryRecords } from './delivery-records.ts'
import { eventTypeOf } from './webhook-events.ts'

/** How long an outbox entry belongs to the process that wrote or claimed it. */
export const HOLD_MS = 10_000
/** A send that starts within this time of the hold's end could still be running when another process takes over. */
const SEND_MARGIN_MS = 2_000
/** Concurrent sends to one endpoint, so that a slow receiver holds up nobody else. */
const PER_ENDPOINT_MAX = 32
/** Unrecorded sends to one endpoint. After a crash this many may be sent twice; after a database outage, more. */
const UNRECORDED_MAX = 128
/** Entries in memory for one endpoint; the rest wait in the database. */
const QUEUE_MAX = 10_000
const CLAIM_MAX = 500

export interface DispatcherDeps {
  /** Undefined when the endpoint was removed or switched off. */
  endpoint(id: number): Endpoint | undefined
  send(endpoint: Endpoint, entry: OutboxRow): Promise<Attempt>
  dueEndpoints(nowMs: number): Promise<number[]>
  /** Takes due entries of some of these endpoints, at least one if any is left. */
  claim(nowMs: number, heldUntil: number, limit: number, endpointIds: readonly number[]): Promise<OutboxRow[]>
  /** Gives up the hold of entries that were not sent, so that any process can claim them at once. */
  release(ids: readonly number[], nowMs: number): Promise<void>
  commit(operation: WriteOperation): Promise<WriteOutcome>
  retries: number
  now(): number
  warn(message: string, error: unknown): void
}

export interface Dispatcher {
  /** Queues entries that this process has just committed and holds. */
  enqueue(entries: readonly OutboxRow[]): void
  /** Claims due entries that nobody holds: left by a crash, waiting for a retry, or beyond the limit of a queue. */
  sweep(): Promise<void>
  /** Ends a running sweep after its current page, and starts no more. */
  stopSweeping(): void
  /** Entries in memory: queued ones, and ones being sent or not recorded yet. */
  load(): { queued: number; sending: number }
  /** Takes no more entries, waits until running sends are recorded, and releases the queued ones. */
  drain(): Promise<void>
}

interface Lane {
  queue: OutboxRow[]
  sending: number
  /** Being sent, or sent and not recorded yet. */
  unrecorded: number
}

/** Sends events from the outbox, with a queue for each endpoint. */
export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const lanes = new Map<number, Lane>()
  /** Entries that are queued or being sent, by ID. */
  const inMemory = new Map<number, OutboxRow>()
  const records = createDeliveryRecords(deps)
  let stopped = false
  let sweepingEnded = false
  let inFlight = 0
  let sweeping = false
  const drainWaiters: PromiseWithResolvers<void>[] = []

  function laneOf(endpointId: number): Lane {
    const known = lanes.get(endpointId)
    if (known) return known
    const lane: Lane = { queue: [], sending: 0, unrecorded: 0 }
    lanes.set(endpointId, lane)
    return lane
  }

  /** Queues the entry; false when it has to be left to a later sweep. */
  function take(entry: OutboxRow): boolean {
    if (stopped) return false
    const known = inMemory.get(entry.id)
    // The clock jumped ahead, so the sweep claimed an entry that is being sent.
    if (known) known.due_at = entry.due_at
    if (known || records.isSent(entry)) return true
    const lane = laneOf(entry.endpoint_id)
    if (lane.queue.length >= QUEUE_MAX) return false
    lane.queue.push(entry)
    inMemory.set(entry.id, entry)
    pump(lane)
    return true
  }

  const isFull = (endpointId: number): boolean => (lanes.get(endpointId)?.queue.length ?? 0) >= QUEUE_MAX

  /**
   * Claims a page of due entries.
   * @param passed endpoints that this sweep claims no more of; gets those whose queue had no room. Otherwise a receiver
   *   that accepts a few events during each page would have its whole backlog claimed and released again and again.
   * @returns whether there may be more that fit
   */
  async function takePage(passed: Set<number>): Promise<boolean> {
    const due = await deps.dueEndpoints(deps.now())
    const open = due.filter((id) => !passed.has(id) && !isFull(id))
    if (open.length === 0 || sweepingEnded) return false
    const claimed = await deps.claim(deps.now(), deps.now() + HOLD_MS, CLAIM_MAX, open)
    const left = claimed.filter((entry) => !take(entry))
    for (const { endpoint_id } of left) passed.add(endpoint_id)
    if (left.length > 0)
      await deps.release(
        left.map(({ id }) => id),
        deps.now(),
      )
    return claimed.length > 0
  }

  const isHeld = (entry: OutboxRow): boolean => entry.due_at - SEND_MARGIN_MS >= deps.now()

  function pump(lane: Lane): void {
    while (lane.sending < PER_ENDPOINT_MAX && lane.unrecorded < UNRECORDED_MAX) {
      const entry = lane.queue.shift()
      if (!entry) break
      // The hold is about to end: another process may claim the entry, and only one may send it.
      if (!isHeld(entry)) {
        inMemory.delete(entry.id)
        continue
      }
      lane.sending += 1
      lane.unrecorded += 1
      inFlight += 1
      // The next send need not wait for this one's record, which waits for a group commit.
      const sent = () => {
        lane.sending -= 1
        pump(lane)
      }
      void deliver(entry, sent).finally(() => {
        inMemory.delete(entry.id)
        lane.unrecorded -= 1
        inFlight -= 1
        pump(lane)
        if (inFlight === 0) for (const drained of drainWaiters.splice(0)) drained.resolve()
      })
    }
  }

  async function attemptOf(entry: OutboxRow): Promise<Attempt> {
    const endpoint = deps.endpoint(entry.endpoint_id)
    return endpoint ? deps.send(endpoint, entry) : notSent(deps.now())
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
      // The entry stays in the outbox; a sweep claims it when the hold ends.
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
        await records.retry()
        const passed = new Set<number>()
        while (!sweepingEnded && (await takePage(passed)));
      } finally {
        sweeping = false
      }
    },
    stopSweeping() {
      sweepingEnded = true
    },
    load: () => ({
      queued: [...lanes.values()].reduce((sum, { queue }) => sum + queue.length, 0),
      sending: inFlight,
    }),
    async drain() {
      stopped = true
      sweepingEnded = true
      const left = [...lanes.values()].flatMap(({ queue }) => queue.splice(0))
      if (inFlight > 0) {
        const drained = Promise.withResolvers<void>()
        drainWaiters.push(drained)
        await drained.promise
      }
      await records.retry()
      try {
        await deps.release(
          left.filter(isHeld).map(({ id }) => id),
          deps.now(),
        )
      } catch (error) {
        // A sweep claims them when their hold ends.
        deps.warn('events could not be released', error)
      }
    },
  }
}

const notSent = (nowMs: number): Attempt => ({
  sentAt: nowMs,
  durationMs: 0,
  status: undefined,
  error: 'the endpoint was removed or disabled before the event was sent',
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
    body: packText(entry.body),
  }
}

/** The first wait, and how much longer each further one is. */
const RETRY_FIRST_MS = 1_000
const RETRY_FACTOR = 2.5

/**
 * The wait before the next send. Eight sends, the most that `WEBHOOK_RETRIES` allows, take less than seven minutes:
 * 1 + 2.5 + 6.25 + … + 244 s.
 * @param attemptsBefore sends before the one that has just failed
 */
export const retryDelayMs = (attemptsBefore: number): number =>
  Math.round(RETRY_FIRST_MS * RETRY_FACTOR ** attemptsBefore)
