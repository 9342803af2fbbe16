import type { Logger } from 'pino'

export interface Stopping {
  /** From now on a signal stops it; before, a signal ends the process at once. */
  with(stop: () => Promise<void>): void
}

/**
 * Ends the process on SIGINT and SIGTERM: cleanly, with 0; at once, with 1, on the second signal or when stopping
 * takes longer than `limitMs`. To be called before anything is opened, because without a handler the first process of
 * a container hears no signal.
 */
export function stopOnSignal(limitMs: number, log: Logger): Stopping {
  let stop: (() => Promise<void>) | undefined
  let stopping = false

  async function end(): Promise<void> {
    if (stopping) process.exit(1)
    if (!stop) process.exit(0)
    stopping = true
    setTimeout(() => {
      log.error({ limitMs }, 'stopping took too long; the next start takes up what is left')
      process.exit(1)
    }, limitMs)
    try {
      await stop()
      process.exit(0)
    } catch (error) {
      log.error({ err: error }, 'could not stop cleanly')
      process.exit(1)
    }
  }

  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end())
  return {
    with(given) {
      stop = given
    },
  }
}
