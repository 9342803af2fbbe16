import type { WriteOperation, WriteOutcome } from '../write-operation.ts'

/** A batch waits this long for company when the writer is idle. */
const WINDOW_MS = 2
/** A larger batch would hold its first caller longer than it saves the last one. */
const BATCH_MAX = 128

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
 * for a hundred. While one batch is being written the next one gathers.
 */
export function createGroupCommit(
  write: (operations: WriteOperation[]) => Promise<WriteOutcome[]>,
): GroupCommit {
  const waiting: Waiting[] = []
  let writing = false
  let timer: NodeJS.Timeout | undefined
  let whenIdle: PromiseWithResolvers<void>[] = []

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const batch = waiting.splice(0, BATCH_MAX)
    writing = true
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
    writing = false
    next()
  }

  function next(): void {
    if (writing) return
    if (waiting.length === 0) {
      for (const idle of whenIdle) idle.resolve()
      whenIdle = []
    } else if (waiting.length >= BATCH_MAX) void flush()
    else timer ??= setTimeout(() => void flush(), WINDOW_MS)
  }

  return {
    commit(operation) {
      const result = Promise.withResolvers<WriteOutcome>()
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
