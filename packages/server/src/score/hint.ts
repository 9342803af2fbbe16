/** One observation. A weak one proves nothing by itself. */
export interface Hint {
  name: string
  /** Hints of one group may have one cause, so the strongest of them counts for all. */
  group: string
  points: number
  evidence: unknown
}

/** What settles it alone. */
export const DECISIVE = 60
/** The most that a weak hint may be worth. */
export const WEAK_MAX = 29
/** From here on hints together are a verdict, so it takes two causes. */
const VERDICT_FROM = WEAK_MAX + 1

export function sumOf(hints: readonly Hint[]): number {
  const groups = new Map<string, number>()
  for (const { group, points } of hints) groups.set(group, Math.max(points, groups.get(group) ?? 0))
  return groups.values().reduce((sum, points) => sum + points, 0)
}

/** Whether they are enough for a verdict. */
export const convince = (hints: readonly Hint[]): boolean => sumOf(hints) >= VERDICT_FROM

/** The evidence of each by its name, and what they come to. */
export const evidenceOf = (hints: readonly Hint[]): Record<string, unknown> => ({
  ...Object.fromEntries(
    [...Map.groupBy(hints, ({ name }) => name)].map(([name, [first, ...others]]) => [
      name,
      others.length === 0 ? first?.evidence : [first, ...others].flatMap((hint) => hint?.evidence),
    ]),
  ),
  points: sumOf(hints),
})
