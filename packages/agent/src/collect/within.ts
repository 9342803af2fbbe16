import { nextTask } from './next-task.ts'

/** The work's value, or `late` after the limit. The work itself goes on; nobody waits for it. */
export function within<Value, Late>(
  limitMs: number,
  work: Value | Promise<Value>,
  late: Late,
): Promise<Value | Late> {
  return new Promise((resolve, reject) => {
    // On a busy page an answer may have come and wait behind the timer. One more turn lets it count.
    const timer = setTimeout(() => void nextTask().then(() => resolve(late)), limitMs)
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })
}
