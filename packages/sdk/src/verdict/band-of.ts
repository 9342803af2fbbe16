export type Band = 'trusted' | 'suspicious' | 'dangerous' | 'rate_limited'

/** The band of a score; it is not on the wire. Every value above 100 means rate limited, whatever it is. */
export function bandOf(score: number): Band {
  if (score > 100) return 'rate_limited'
  if (score >= 60) return 'dangerous'
  return score >= 30 ? 'suspicious' : 'trusted'
}
