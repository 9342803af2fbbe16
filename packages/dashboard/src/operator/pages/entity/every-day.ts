import type { EntityDay } from '@inkling/contract/account'

const DAY_MS = 86_400_000
/** More bars than this are no longer told apart. */
export const DAYS_MAX = 366

/** Every day from the first with a visit to today, those without visits included; at most the latest year. */
export function everyDay(days: readonly EntityDay[], nowMs: number): EntityDay[] {
  const [first] = days
  const last = days.at(-1)
  if (!first || !last) return []
  const known = new Map(days.map((day) => [day.day, day]))
  const todayMs = Math.max(nowMs - (nowMs % DAY_MS), Date.parse(last.day))
  const length = Math.min(DAYS_MAX, Math.round((todayMs - Date.parse(first.day)) / DAY_MS) + 1)
  return Array.from({ length }, (_, index) => {
    const day = new Date(todayMs - (length - 1 - index) * DAY_MS).toISOString().slice(0, 10)
    return known.get(day) ?? { day, identifications: 0, highest_score: null }
  })
}
