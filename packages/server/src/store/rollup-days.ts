import { type Contribution, DAY_MS } from './rollup-contributions.ts'

/** What groups of hours come to as groups of days. */
export function daysOf(hours: readonly Contribution[]): Contribution[] {
  const days = new Map<string, Contribution>()
  for (const hour of hours) {
    const start = floorToDay(hour.start)
    const value = isReturning(hour) ? dayOfVisitBefore(hour.value) : hour.value
    // Not the first visit of its day: says nothing.
    if (isReturning(hour) && value !== '' && Number(value) >= start) continue
    const key = [hour.domain_id, hour.dimension, start, value].join('\n')
    const day = days.get(key)
    if (!day) days.set(key, { ...hour, start, value })
    else {
      day.identifications += hour.identifications
      day.scored += hour.scored
      day.score_sum += hour.score_sum
      day.points_sum += hour.points_sum
    }
  }
  return [...days.values()]
}

const isReturning = ({ dimension }: Contribution): boolean =>
  dimension === 'device' || dimension === 'visitor'
const dayOfVisitBefore = (value: string): string => (value === '' ? '' : String(floorToDay(Number(value))))

export const floorToDay = (atMs: number): number => atMs - (atMs % DAY_MS)
