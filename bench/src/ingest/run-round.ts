import { processorMs } from '../lib/process-usage.ts'
import { type Summary, summarize } from '../lib/samples.ts'
import { type SaturateOptions, saturate } from '../load/saturate.ts'

/** Long enough to refill the caches that the other server's round has evicted. */
const WARM_UP_SECONDS = 1

export interface Round {
  perSecond: number
  acknowledgment: Summary
  /** Acknowledged in this round, including the warm-up; each must have a row. */
  acknowledged: number
  failed: number
  /** Processor time per identification, of the server processes and, on PostgreSQL, of the database. */
  cpuMicroseconds: number | undefined
}

/** Loads a server after a warm-up and returns the measurements. */
export async function runRound(pids: readonly number[], load: SaturateOptions): Promise<Round> {
  const warmUp = await saturate({ ...load, seconds: WARM_UP_SECONDS })
  const before = await processorMs(pids)
  const measured = await saturate(load)
  const after = await processorMs(pids)
  return {
    perSecond: measured.perSecond,
    acknowledgment: summarize(measured.latenciesMs),
    acknowledged: warmUp.acknowledged + measured.acknowledged,
    failed: warmUp.failed + measured.failed,
    cpuMicroseconds:
      before === undefined || after === undefined
        ? undefined
        : ((after - before) * 1_000) / measured.acknowledged,
  }
}
