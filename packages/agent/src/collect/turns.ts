/**
 * Shares the main thread with the page during long work. Call the returned function after each step: once the steps
 * since the last pause took `sliceMs`, it waits for the page's next task.
 */
export function turns(sliceMs = 10): () => Promise<void> {
  let sliceStart = performance.now()
  return async () => {
    if (performance.now() - sliceStart < sliceMs) return
    await nextTask()
    sliceStart = performance.now()
  }
}

let lastTask = Promise.resolve()

/**
 * Lets the page paint and handle input. By a message, not a timer: browsers delay nested timers by 4 ms and those of
 * hidden tabs by a second (https://html.spec.whatwg.org/multipage/timers-and-user-prompts.html#timers). Only one message
 * waits at a time, because the page gets no turn between messages that are queued together.
 */
export function nextTask(): Promise<void> {
  lastTask = lastTask.then(message)
  return lastTask
}

const message = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(0)
  })

/** The value of the work, or `late` after the time limit. The work itself goes on, but nobody waits for it. */
export function within<Value, Late>(
  limitMs: number,
  work: Value | Promise<Value>,
  late: Late,
): Promise<Value | Late> {
  return new Promise((resolve, reject) => {
    // On a busy page the answer may already be queued behind the timer. One more task lets it count.
    const timer = setTimeout(() => void nextTask().then(() => resolve(late)), limitMs)
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })
}
