import type { InTurn } from '../lib/take-turns.ts'
import { isOutage } from './outages.ts'
import type { WriteOutcome } from './store.ts'

/** How long operations that wait for the end of a batch collect more. */
const WINDOW_MS = 2
/** A larger batch would delay its first operation by more than it saves the last one. */
const BATCH_MAX = 128
/** After an outage that took this long, such as a lock timeout, waiting operations are rejected without a try. */
const SLOW_OUTAGE_MS = 5_000

/** A finished transaction, committed or failed. */
export interface CommittedBatch {
  operations: number
  durationMs: number
}

interface Pending<Operation> {
  operation: Operation
  result: PromiseWithResolvers<WriteOutcome>
}

export interface GroupCommit<Operation> {
  commit(operation: Operation): Promise<WriteOutcome>
  /** Resolves when no operation is pending. */
  idle(): Promise<void>
}

export interface GroupCommitOptions<Operation> {
  /** Whether the client retries, so that the operation may be rejected without a try in a long outage. */
  isRetriedByClient(operation: Operation): boolean
  /** How long an operation may wait for others to join its batch. */
  joinWithinMs(operation: Operation): number
  batchCommitted?: ((batch: CommittedBatch) => void) | undefined
  /** Operations join a transaction until its turn has come. */
  inTurn?: InTurn
}

/**
 * Collects concurrent operations into one transaction: a disk sync costs the same for one row as for a hundred. The next
 * one collects while it is written. A second one beside it would only make both smaller, as they wait for each other in
 * the end (`bench/README.md` has what that cost).
 * @param write returns the outcomes in the order of the operations
 */
export function createGroupCommit<Operation>(
  write: (operations: Operation[]) => Promise<WriteOutcome[]>,
  {
    isRetriedByClient,
    joinWithinMs,
    batchCommitted = () => undefined,
    inTurn = (work) => work(),
  }: GroupCommitOptions<Operation>,
): GroupCommit<Operation> {
  const queue: Pending<Operation>[] = []
  /** When the queue is to be flushed. */
  let dueAt = Number.POSITIVE_INFINITY
  let isWriting = false
  let timer: NodeJS.Timeout | undefined
  let idleWaiters: PromiseWithResolvers<void>[] = []

  async function flush(): Promise<void> {
    clearTimer()
    isWriting = true
    await inTurn(writeNext)
    isWriting = false
    schedule()
  }

  async function writeNext(): Promise<void> {
    const batch = queue.splice(0, BATCH_MAX)
    const startedAt = performance.now()
    dueAt = queue.length > 0 ? startedAt + WINDOW_MS : Number.POSITIVE_INFINITY
    try {
      const outcomes = await write(batch.map(({ operation }) => operation))
      batch.forEach(({ result }, index) => {
        const outcome = outcomes[index]
        if (outcome) result.resolve(outcome)
        else result.reject(new Error('the database returned too few outcomes for a batch'))
      })
    } catch (error) {
      const durationMs = performance.now() - startedAt
      // The next batch would hit the same outage after the same wait, so fail its operations now.
      const rejected = isOutage(error) && durationMs >= SLOW_OUTAGE_MS ? takeRetriedByClient() : []
      for (const { result } of [...batch, ...rejected]) result.reject(error)
    }
    batchCommitted({ operations: batch.length, durationMs: performance.now() - startedAt })
  }

  function takeRetriedByClient(): Pending<Operation>[] {
    const all = queue.splice(0)
    queue.push(...all.filter(({ operation }) => !isRetriedByClient(operation)))
    return all.filter(({ operation }) => isRetriedByClient(operation))
  }

  function schedule(): void {
    if (!isWriting && queue.length === 0) {
      for (const waiter of idleWaiters) waiter.resolve()
      idleWaiters = []
    }
    if (queue.length === 0 || isWriting) return
    // A timer alone would be late: timers run only after all ready sockets have been served.
    const remainingMs = dueAt - performance.now()
    if (remainingMs <= 0 || queue.length >= BATCH_MAX) void flush()
    else timer ??= setTimeout(() => void flush(), remainingMs)
  }

  function clearTimer(): void {
    clearTimeout(timer)
    timer = undefined
  }

  function flushBy(atMs: number): void {
    if (atMs >= dueAt) return
    dueAt = atMs
    clearTimer()
  }

  return {
    commit(operation) {
      const result = Promise.withResolvers<WriteOutcome>()
      queue.push({ operation, result })
      flushBy(performance.now() + joinWithinMs(operation))
      schedule()
      return result.promise
    },
    idle() {
      const waiter = Promise.withResolvers<void>()
      idleWaiters.push(waiter)
      schedule()
      return waiter.promise
    },
  }
}
