/** The scores of each band, both ends included. Anything above 100 marks a rate-limited address. */
export const BANDS = {
  trusted: { from: 0, to: 29 },
  suspicious: { from: 30, to: 59 },
  dangerous: { from: 60, to: 100 },
  rate_limited: { from: 101, to: Number.MAX_SAFE_INTEGER },
} as const

export type Band = keyof typeof BANDS
export const BAND_NAMES = Object.keys(BANDS) as [Band, ...Band[]]

/** The bands of a visit that was scored. */
export const SCORED_BANDS = ['trusted', 'suspicious', 'dangerous'] as const
export type ScoredBand = (typeof SCORED_BANDS)[number]

/** In place of a score: the visitor's address was over the ingest rate limit. */
export const RATE_LIMIT_SCORE = 999

/** The band of a score. Bands are not on the wire: every reader computes them. */
export function bandOf(score: number): Band {
  if (score >= BANDS.rate_limited.from) return 'rate_limited'
  if (score >= BANDS.dangerous.from) return 'dangerous'
  return score >= BANDS.suspicious.from ? 'suspicious' : 'trusted'
}
