import { DAY_MS, HOUR_MS } from './rollup-contributions.ts'
import { floorToDay } from './rollup-days.ts'

/** From a whole hour to before a whole hour. */
export interface OverviewRange {
  fromMs: number
  toMs: number
}

export interface Span extends OverviewRange {
  spanHours: 1 | 24
}

/** The counts that a range is made of: whole days where it has them, hours around them. */
export function spansOf({ fromMs, toMs }: OverviewRange): Span[] {
  const firstDay = floorToDay(fromMs + DAY_MS - HOUR_MS)
  const lastDay = floorToDay(toMs)
  if (firstDay >= lastDay) return [{ spanHours: 1, fromMs, toMs }]
  const spans: Span[] = [
    { spanHours: 1, fromMs, toMs: firstDay },
    { spanHours: 24, fromMs: firstDay, toMs: lastDay },
    { spanHours: 1, fromMs: lastDay, toMs },
  ]
  return spans.filter((span) => span.fromMs < span.toMs)
}
