import type { WriteOutcome } from './store.ts'
import { isOutage } from './store-error.ts'

/** A batch waits this long for company. */
const WINDOW_MS = 2
/** What nobody waits for goes with a batch that somebody waits for, if one comes in this time. */
const PATIENT_WINDOW_MS = 10
/** A larger batch would hold its first caller longer than it saves the last one. */
const BATCH_MAX = 128
/** While one batch is being written the next lies ready, so that neither side waits for the other. */
const IN_WRITER_MAX = 2
/** An outage that is told so late, such as a lock that was waited for, is none that the next batch would not meet. */
const GIVE_UP_MS = 5_000

/** One transaction, whether it came to pass or not. */
export interface CommittedBatch {
  operations: number
  durationMs: number
}

interface Waiting<Operation> {
  operation: Operation
  result: PromiseWithResolvers<WriteOutcome>
}

export interface GroupCommit<Operation> {
  commit(operation: Operation): Promise<WriteOutcome>
  /** Resolves when nothing is waiting or being written. */
  idle(): Promise<void>
}

export interface GroupCommitOptions<Operation> {
  /** Whether whoever asked comes again, so that the operation may be rejected untried in a long outage. */
  canGiveUp(operation: Operation): boolean
  /** Whether nobody waits for the answer. */
  canWait(operation: Operation): boolean
  batchCommitted?: ((batch: CommittedBatch) => void) | undefined
}

/**
 * Gathers operations that arrive together into one transaction: a disk sync costs the same for one row as
 * for a hundred.
 */
export function createGroupCommit<Operation>(
  write: (operations: Operation[]) => Promise<WriteOutcome[]>,
  { canGiveUp, canWait, batchCommitted = () => undefined }: GroupCommitOptions<Operation>,
): GroupCommit<Operation> {
  const waiting: Waiting<Operation>[] = []
  /** When what waits is to go. */
  let dueAt = Number.POSITIVE_INFINITY
  let inWriter = 0
  let timer: NodeJS.Timeout | undefined
  let whenIdle: PromiseWithResolvers<void>[] = []

  async function flush(): Promise<void> {
    endWait()
    const batch = waiting.splice(0, BATCH_MAX)
    const startedAt = performance.now()
    dueAt = waiting.length > 0 ? startedAt + WINDOW_MS : Number.POSITIVE_INFINITY
    inWriter += 1
    try {
      const outcomes = await write(batch.map(({ operation }) => operation))
      batch.forEach(({ result }, index) => {
        const outcome = outcomes[index]
        if (outcome) result.resolve(outcome)
        else result.reject(new Error('the database answered for fewer operations than it was given'))
      })
    } catch (error) {
      const durationMs = performance.now() - startedAt
      // Whoever waits behind has waited about as long, and would wait as long again for the same.
      const given = isOutage(error) && durationMs >= GIVE_UP_MS ? takeGivenUp() : []
      for (const { result } of [...batch, ...given]) result.reject(error)
    }
    batchCommitted({ operations: batch.length, durationMs: performance.now() - startedAt })
    inWriter -= 1
    next()
  }

  function takeGivenUp(): Waiting<Operation>[] {
    const all = waiting.splice(0)
    waiting.push(...all.filter(({ operation }) => !canGiveUp(operation)))
    return all.filter(({ operation }) => canGiveUp(operation))
  }

  function next(): void {
    if (inWriter === 0 && waiting.length === 0) {
      for (const idle of whenIdle) idle.resolve()
      whenIdle = []
    }
    if (waiting.length === 0 || inWriter >= IN_WRITER_MAX) return
    // A timer alone would come too late: it waits until every socket that is ready has been served.
    const remainingMs = dueAt - performance.now()
    if (remainingMs <= 0 || waiting.length >= BATCH_MAX) void flush()
    else timer ??= setTimeout(() => void flush(), remainingMs)
  }

  function endWait(): void {
    clearTimeout(timer)
    timer = undefined
  }

  function dueBy(atMs: number): void {
    if (atMs >= dueAt) return
    dueAt = atMs
    endWait()
  }

  return {
    commit(operation) {
      const result = Promise.withResolvers<WriteOutcome>()
      waiting.push({ operation, result })
      dueBy(performance.now() + (canWait(operation) ? PATIENT_WINDOW_MS : WINDOW_MS))
      next()
      return result.promise
    },
    idle() {
      const idle = Promise.withResolvers<void>()
      whenIdle.push(idle)
      next()
      return idle.promise
    },
  }
}
