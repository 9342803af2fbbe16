import { median } from '../lib/samples.ts'

export interface Trend {
  median: number
  perMinute: number
  /** Change over the whole run, as a share of the median. */
  change: number
}

/**
 * The median of the slopes between all pairs of samples, which outliers hardly change
 * (https://en.wikipedia.org/wiki/Theil%E2%80%93Sen_estimator).
 * @param minutes when the samples were taken
 */
export function trendOf(minutes: readonly number[], samples: readonly number[]): Trend {
  const slopes = samples.flatMap((sample, later) =>
    samples
      .slice(0, later)
      .map((earlier, index) => (sample - earlier) / ((minutes[later] ?? 0) - (minutes[index] ?? 0))),
  )
  const perMinute = slopes.length === 0 ? 0 : median(slopes)
  const middle = median(samples)
  const spanMinutes = (minutes.at(-1) ?? 0) - (minutes[0] ?? 0)
  return { median: middle, perMinute, change: (perMinute * spanMinutes) / middle }
}
