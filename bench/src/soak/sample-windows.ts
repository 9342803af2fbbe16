import { setTimeout as sleep } from 'node:timers/promises'
import { clockMs } from '../lib/clock.ts'
import { privateMemoryMb, processUsage } from '../lib/process-usage.ts'
import { summarize } from '../lib/samples.ts'
import { type HoldRateOptions, holdRate } from '../load/hold-rate.ts'

/** One window of the run. */
export interface Window {
  /** End of the window, since the start of the run. */
  minute: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** Resident set size of the largest server process. */
  serverMb: number
  /** Unshared memory of all PostgreSQL processes. */
  databaseMb: number | undefined
}

export interface SampleOptions extends Omit<HoldRateOptions, 'answered'> {
  windows: number
  serverPids: readonly number[]
  databasePid: number | undefined
}

/** Holds the rate and samples the servers at the end of each window. */
export async function sampleWindows(
  options: SampleOptions,
  seen: (window: Window) => void,
): Promise<{ windows: Window[]; acknowledged: number; failed: number }> {
  const { seconds, serverPids, databasePid } = options
  let latenciesMs: number[] = []
  const count = { acknowledged: 0, failed: 0 }
  const startedAt = clockMs()
  const load = holdRate({
    ...options,
    answered(status, latencyMs) {
      if (status === 200) count.acknowledged += 1
      else count.failed += 1
      latenciesMs.push(latencyMs)
    },
  })

  const windows: Window[] = []
  const windowMs = (seconds * 1_000) / options.windows
  for (let number = 1; number <= options.windows; number++) {
    // A broken connection ends the run immediately.
    await Promise.race([sleep(startedAt + number * windowMs - clockMs()), load.then(() => sleep(windowMs))])
    const { p50, p99, count: answered } = summarize(latenciesMs)
    latenciesMs = []
    const usages = await Promise.all(serverPids.map(processUsage))
    const window = {
      minute: (clockMs() - startedAt) / 60_000,
      perSecond: (answered * 1_000) / windowMs,
      p50Ms: p50,
      p99Ms: p99,
      serverMb: Math.max(...usages.map((usage) => usage?.memoryMb ?? Number.NaN)),
      databaseMb: databasePid === undefined ? undefined : await privateMemoryMb(databasePid),
    }
    windows.push(window)
    seen(window)
  }
  await load
  return { windows, ...count }
}
