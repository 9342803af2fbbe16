import type { Chance } from '../../bench/identity/population/chance.ts'

const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** How busy each hour of the visitor's own day is: quiet nights, a noon peak and a larger one after dinner. */
const HOURS = [8, 4, 3, 2, 2, 3, 8, 18, 30, 40, 44, 46, 50, 47, 43, 41, 42, 46, 54, 63, 70, 66, 46, 22].map(
  (weight, hour) => [hour, weight] as const,
)
const WEEKEND_SHARE = 0.72

/**
 * A moment of a day when people are up, in the visitor's own time; weekends are quieter.
 * @param dayMs midnight of the day in UTC
 */
export function momentOf(dayMs: number, offsetMinutes: number, chance: Chance): number | undefined {
  const weekend = [0, 6].includes(new Date(dayMs).getUTCDay())
  if (weekend && !chance.happens(WEEKEND_SHARE)) return undefined
  const localMs = (chance.pickWeighted(HOURS) + chance.number()) * HOUR_MS
  return Math.floor(dayMs + ((localMs - offsetMinutes * 60_000 + DAY_MS) % DAY_MS))
}
