import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'
import { MINUTE_MS } from '../lib/durations.ts'
import type { DiskLimit } from '../store/disk-budget.ts'

/** The state of a running process and of its machine, as the health page shows it. */
export interface RunningState {
  version: string
  startedAtMs: number
  /** Latency of identifications, from a parsed request to a scored visit on disk. */
  latency: Pick<LatencyRecord, 'minutes'>
  /** How many visits may still get evidence. */
  followUps(): number
  /** Where evidence of connections comes from. */
  sources: readonly { source: string; available: boolean; reason: string }[]
  installation(): Promise<readonly { check: string; ok: boolean; detail: string }[]>
  storage(): Promise<{ bytes: number; freeBytes: number | undefined }>
  /** What visits may take of the disk, as far as it is limited. */
  diskLimits(): readonly DiskLimit[]
  retention: { days: number; last(): { endedAtMs: number; removed: number } | undefined }
}

/** How many operations ended in one minute, and their latency. */
export interface MinuteLatency {
  /** Start of the minute, Unix milliseconds. */
  atMs: number
  count: number
  /** Percentiles in milliseconds; undefined without operations. */
  p50Ms: number | undefined
  p99Ms: number | undefined
}

/** Latency by minute, in memory of fixed size. */
export interface LatencyRecord {
  add(endedAtMs: number, durationMs: number): void
  /** The last ten whole minutes, oldest first. */
  minutes(nowMs: number): MinuteLatency[]
}

const MINUTES = 10
/** Microseconds from 1 to about a minute with an error of at most 1 %, in 21 kB per minute. */
const HISTOGRAM = { lowest: 1, highest: MINUTE_MS * 1_000, figures: 2 }

interface Minute {
  number: number
  histogram: RecordableHistogram
}

export function createLatencyRecord(): LatencyRecord {
  // One more than is reported, for the current minute.
  const ring: Minute[] = Array.from({ length: MINUTES + 1 }, () => ({
    number: Number.NaN,
    histogram: createHistogram(HISTOGRAM),
  }))
  const slotOf = (number: number): Minute => ring.at(number % ring.length) as Minute

  return {
    add(endedAtMs, durationMs) {
      const number = Math.floor(endedAtMs / MINUTE_MS)
      const slot = slotOf(number)
      if (slot.number !== number) {
        slot.number = number
        slot.histogram.reset()
      }
      const durationUs = Math.ceil(durationMs * 1_000)
      slot.histogram.record(Math.min(HISTOGRAM.highest, Math.max(HISTOGRAM.lowest, durationUs)))
    },
    minutes(nowMs) {
      const current = Math.floor(nowMs / MINUTE_MS)
      return Array.from({ length: MINUTES }, (_, index) => {
        const number = current - MINUTES + index
        const slot = slotOf(number)
        const isEmpty = slot.number !== number
        return {
          atMs: number * MINUTE_MS,
          count: isEmpty ? 0 : slot.histogram.count,
          p50Ms: isEmpty ? undefined : percentileMs(slot.histogram, 50),
          p99Ms: isEmpty ? undefined : percentileMs(slot.histogram, 99),
        }
      })
    },
  }
}

/** In milliseconds with one decimal place. */
const percentileMs = (histogram: RecordableHistogram, percentile: number): number =>
  Math.round(histogram.percentile(percentile) / 100) / 10
