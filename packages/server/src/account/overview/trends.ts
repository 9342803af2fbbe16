import { COMPARED_FROM, type OverviewScore, type OverviewTrend } from '@inkling/contract/account'
import type { Sums } from '../../store/roll-ups/overview.ts'

export const trend = (value: number, previous: number): OverviewTrend => ({
  value,
  previous,
  change: previous < COMPARED_FROM ? null : (value - previous) / previous,
})

export type Scores = Pick<Sums, 'scored' | 'score_sum'>

export const averageOf = ({ scored, score_sum }: Scores): number | null =>
  scored === 0 ? null : score_sum / scored

export const isComparable = ({ scored }: Scores): boolean => scored >= COMPARED_FROM

export function scoreTrend(now: Scores, before: Scores): OverviewScore {
  const value = averageOf(now)
  const previous = averageOf(before)
  const comparable = value !== null && previous !== null && isComparable(now) && isComparable(before)
  return { value, previous, change: comparable ? value - previous : null }
}
