import { AppError } from '../../lib/errors.ts'
import { BY_HOUR_MS, DAY_MS, HOUR_MS } from '../../store/roll-ups/contributions.ts'
import type { OverviewRange } from '../../store/roll-ups/overview.ts'
import { presentTime } from '../present-time.ts'

export interface ReadRange {
  range: OverviewRange
  previous: OverviewRange
  bucketMs: number
}

/**
 * What is counted for a range that was asked for: whole hours up to the present one, by the hour up to 72 of them,
 * otherwise by the day. The range before is as long, and begins a whole number of buckets earlier.
 * @throws AppError when it has not begun
 */
export function readRange({ from, to }: { from: string; to: string }, nowMs: number): ReadRange {
  const toMs = Math.min(ceilTo(Date.parse(to), HOUR_MS), ceilTo(nowMs, HOUR_MS))
  const firstHour = floorTo(Date.parse(from), HOUR_MS)
  const bucketMs = toMs - firstHour <= BY_HOUR_MS ? HOUR_MS : DAY_MS
  const fromMs = floorTo(firstHour, bucketMs)
  if (fromMs >= toMs) throw new AppError('INK_INVALID_FIELD', 'from: must lie in the past')
  const backMs = ceilTo(toMs - fromMs, bucketMs)
  return {
    range: { fromMs, toMs },
    previous: { fromMs: fromMs - backMs, toMs: toMs - backMs },
    bucketMs,
  }
}

const floorTo = (atMs: number, stepMs: number): number => atMs - (atMs % stepMs)
const ceilTo = (atMs: number, stepMs: number): number => Math.ceil(atMs / stepMs) * stepMs

export const presentRange = ({ range, previous }: ReadRange) => ({
  from: presentTime(range.fromMs),
  to: presentTime(range.toMs),
  previous_from: presentTime(previous.fromMs),
  previous_to: presentTime(previous.toMs),
})
