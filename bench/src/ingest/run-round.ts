import { processorMs } from '../lib/process-usage.ts'
import { type Summary, summarize } from '../lib/samples.ts'
import { type SaturateOptions, saturate } from '../load/saturate.ts'

/** Long enough to fill the caches that the other server's turn has emptied. */
const WARM_UP_SECONDS = 1

export interface Round {
  perSecond: number
  acknowledgment: Summary
  /** Acknowledged in this round, warm-up included: each must be a row. */
  acknowledged: number
  failed: number
  /** Processor time for one identification: of the server's processes and, on PostgreSQL, of the database's. */
  cpuMicroseconds: number | undefined
}

/** Loads a server for a while after a warm-up and says how it did. */
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
