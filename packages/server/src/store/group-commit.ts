import { isOutage } from './is-outage.ts'
import type { WriteOutcome } from './write-operation.ts'

/** A batch waits this long for company. */
const WINDOW_MS = 2
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

/**
 * Gathers operations that arrive together into one transaction: a disk sync costs the same for one row as
 * for a hundred.
 * @param canGiveUp whether whoever asked comes again, so that the operation may be rejected untried in a long outage
 */
export function createGroupCommit<Operation>(
  write: (operations: Operation[]) => Promise<WriteOutcome[]>,
  canGiveUp: (operation: Operation) => boolean,
  batchCommitted: (batch: CommittedBatch) => void = () => undefined,
): GroupCommit<Operation> {
  const waiting: Waiting<Operation>[] = []
  let oldestAt = 0
  let inWriter = 0
  let timer: NodeJS.Timeout | undefined
  let whenIdle: PromiseWithResolvers<void>[] = []

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const batch = waiting.splice(0, BATCH_MAX)
    const startedAt = performance.now()
    oldestAt = startedAt
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

  // A timer alone would come too late: it waits until every socket that is ready has been served.
  const isDue = (): boolean =>
    waiting.length >= BATCH_MAX || performance.now() - oldestAt >= WINDOW_MS * (inWriter + 1)

  function next(): void {
    if (inWriter === 0 && waiting.length === 0) {
      for (const idle of whenIdle) idle.resolve()
      whenIdle = []
    }
    if (waiting.length === 0 || inWriter >= IN_WRITER_MAX) return
    if (isDue()) void flush()
    else timer ??= setTimeout(() => void flush(), WINDOW_MS)
  }

  return {
    commit(operation) {
      const result = Promise.withResolvers<WriteOutcome>()
      if (waiting.length === 0) oldestAt = performance.now()
      waiting.push({ operation, result })
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
