import type { WriteOperation, WriteOutcome } from '../write-operation.ts'

/** A batch waits this long for company. */
const WINDOW_MS = 2
/** A larger batch would hold its first caller longer than it saves the last one. */
const BATCH_MAX = 128
/** While the writer works on one batch the next lies ready, so that neither thread waits for the other. */
const IN_WRITER_MAX = 2

interface Waiting {
  operation: WriteOperation
  result: PromiseWithResolvers<WriteOutcome>
}

export interface GroupCommit {
  commit(operation: WriteOperation): Promise<WriteOutcome>
  /** Resolves when nothing is waiting or being written. */
  idle(): Promise<void>
}

/**
 * Gathers operations that arrive together into one transaction: a disk sync costs the same for one row as
 * for a hundred.
 */
export function createGroupCommit(
  write: (operations: WriteOperation[]) => Promise<WriteOutcome[]>,
): GroupCommit {
  const waiting: Waiting[] = []
  let oldestAt = 0
  let inWriter = 0
  let timer: NodeJS.Timeout | undefined
  let whenIdle: PromiseWithResolvers<void>[] = []

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const batch = waiting.splice(0, BATCH_MAX)
    oldestAt = performance.now()
    inWriter += 1
    try {
      const outcomes = await write(batch.map(({ operation }) => operation))
      batch.forEach(({ result }, index) => {
        const outcome = outcomes[index]
        if (outcome) result.resolve(outcome)
        else result.reject(new Error('the database answered for fewer operations than it was given'))
      })
    } catch (error) {
      for (const { result } of batch) result.reject(error)
    }
    inWriter -= 1
    next()
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
