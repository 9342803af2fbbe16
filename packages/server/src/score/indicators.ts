/** One observation that speaks for something. A weak one proves nothing by itself. */
export interface Indicator {
  name: string
  /** Indicators of one group may have one cause, so only the strongest of a group counts. */
  group: string
  points: number
  evidence: unknown
}

/** Points of an indicator that is proof by itself. */
export const DECISIVE_POINTS = 60
/** The most points that a weak indicator may have. */
export const WEAK_POINTS_MAX = 29
/** Above the strongest weak indicator, so that a verdict without proof takes two causes. */
const THRESHOLD = WEAK_POINTS_MAX + 1

/** The points of the strongest indicator in each group, added up. */
export function totalPoints(indicators: readonly Indicator[]): number {
  const groups = new Map<string, number>()
  for (const { group, points } of indicators) groups.set(group, Math.max(points, groups.get(group) ?? 0))
  return groups.values().reduce((sum, points) => sum + points, 0)
}

/** Whether the indicators are enough for a verdict. */
export const reachesThreshold = (indicators: readonly Indicator[]): boolean =>
  totalPoints(indicators) >= THRESHOLD

/** The evidence of each indicator under its name, and the total points. */
export const evidenceOf = (indicators: readonly Indicator[]): Record<string, unknown> => ({
  ...Object.fromEntries(
    [...Map.groupBy(indicators, ({ name }) => name)].map(([name, [first, ...others]]) => [
      name,
      others.length === 0 ? first?.evidence : [first, ...others].flatMap((indicator) => indicator?.evidence),
    ]),
  ),
  points: totalPoints(indicators),
})
