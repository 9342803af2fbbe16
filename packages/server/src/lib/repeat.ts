export interface RepeatedTask {
  /** Resolves when the current run, if any, has ended. */
  stop(): Promise<void>
}

/** Runs a task repeatedly, with a pause after each run. A failed run is reported and does not end the repetition. */
export function repeat(
  pauseMs: number,
  task: () => Promise<unknown>,
  failed: (error: unknown) => void,
): RepeatedTask {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<unknown> = Promise.resolve()
  let stopped = false

  function schedule(): void {
    if (stopped) return
    timer = setTimeout(() => {
      running = task().catch(failed).finally(schedule)
    }, pauseMs)
    timer.unref()
  }

  schedule()
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
