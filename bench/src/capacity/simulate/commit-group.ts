import type { Simulation } from './simulation.ts'

/** The same as in the server's `store/group-commit.ts`, which has the clock of the machine. */
const WINDOW_MS = 2
const BATCH_MAX = 128
const SLOW_OUTAGE_MS = 5_000

export interface CommitGroup<Operation> {
  add(operation: Operation): void
}

/**
 * Collects operations that arrive within a moment into one commit, while the last one runs.
 * @param commit calls back with whether it succeeded
 */
export function createCommitGroup<Operation>(
  simulation: Simulation,
  commit: (batch: Operation[], end: (ok: boolean) => void) => void,
  ended: (batch: Operation[], ok: boolean) => void,
): CommitGroup<Operation> {
  let queue: Operation[] = []
  let dueAt = Number.POSITIVE_INFINITY
  let isCommitting = false

  function flush(): void {
    const batch = queue.slice(0, BATCH_MAX)
    queue = queue.slice(BATCH_MAX)
    const startedAt = simulation.nowMs()
    dueAt = queue.length > 0 ? startedAt + WINDOW_MS : Number.POSITIVE_INFINITY
    if (queue.length > 0) simulation.after(WINDOW_MS, schedule)
    isCommitting = true
    commit(batch, (ok) => {
      isCommitting = false
      const isSlow = !ok && simulation.nowMs() - startedAt >= SLOW_OUTAGE_MS
      const rejected = isSlow ? queue : []
      if (isSlow) queue = []
      ended([...batch, ...rejected], ok)
      schedule()
    })
  }

  function schedule(): void {
    if (queue.length === 0 || isCommitting) return
    if (simulation.nowMs() >= dueAt || queue.length >= BATCH_MAX) flush()
  }

  return {
    add(operation) {
      queue.push(operation)
      if (dueAt === Number.POSITIVE_INFINITY) {
        dueAt = simulation.nowMs() + WINDOW_MS
        simulation.after(WINDOW_MS, schedule)
      }
      schedule()
    },
  }
}
