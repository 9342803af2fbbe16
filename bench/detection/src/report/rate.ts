/** How often something was true, and how often it was checked. */
export interface Rate {
  hits: number
  of: number
}

/** Undefined answers, such as those of a failed peer, are left out. */
export const rateOf = (answers: readonly (boolean | undefined)[]): Rate => ({
  hits: answers.filter((answer) => answer === true).length,
  of: answers.filter((answer) => answer !== undefined).length,
})

/** 97.5 % quantile of the normal distribution. */
const Z = 1.959964

/** Wilson's 95 % confidence interval of a rate, as two shares. */
export function wilson({ hits, of }: Rate): [low: number, high: number] {
  if (of === 0) return [0, 1]
  const share = hits / of
  const spread = Z ** 2 / of
  const middle = share + spread / 2
  const half = Z * Math.sqrt((share * (1 - share)) / of + spread / (4 * of))
  return [Math.max(0, (middle - half) / (1 + spread)), Math.min(1, (middle + half) / (1 + spread))]
}

/** Formats a rate as `3/3 (44–100 %)`; empty without a measurement. */
export function rateText(rate: Rate): string {
  if (rate.of === 0) return ''
  const [low, high] = wilson(rate).map((share) => Math.round(share * 100))
  return `${rate.hits}/${rate.of} (${low}–${high} %)`
}
