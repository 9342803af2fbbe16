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

/** The tasks of a server. A stop tells all of them at once, and waits for them when everything else is done. */
export interface RepeatedTasks {
  repeat: (...task: Parameters<typeof repeat>) => void
  /** Whether a stop has begun: a task that takes long asks between its steps. */
  stopped(): boolean
  /** Begins no more runs. */
  stop(): void
  /** Stops, and resolves when the current runs have ended. */
  ended(): Promise<void>
}

export function repeatedTasks(): RepeatedTasks {
  const tasks: RepeatedTask[] = []
  let stopped = false

  async function ended(): Promise<void> {
    stopped = true
    await Promise.all(tasks.map((task) => task.stop()))
  }
  return {
    repeat: (...task) => void tasks.push(repeat(...task)),
    stopped: () => stopped,
    stop: () => void ended(),
    ended,
  }
}
