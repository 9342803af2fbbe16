import type { Chance } from '../../bench/identity/population/chance.ts'

const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** Relative traffic by local hour: quiet nights, a peak at noon and a higher one in the evening. */
const HOURS = [8, 4, 3, 2, 2, 3, 8, 18, 30, 40, 44, 46, 50, 47, 43, 41, 42, 46, 54, 63, 70, 66, 46, 22].map(
  (weight, hour) => [hour, weight] as const,
)
const WEEKEND_SHARE = 0.72

/**
 * A random moment of a day, weighted by local hour; weekends have less traffic.
 * @param dayMs midnight of the day in UTC
 */
export function momentOf(dayMs: number, offsetMinutes: number, chance: Chance): number | undefined {
  const weekend = [0, 6].includes(new Date(dayMs).getUTCDay())
  if (weekend && !chance.happens(WEEKEND_SHARE)) return undefined
  const localMs = (chance.pickWeighted(HOURS) + chance.number()) * HOUR_MS
  return Math.floor(dayMs + ((localMs - offsetMinutes * 60_000 + DAY_MS) % DAY_MS))
}
