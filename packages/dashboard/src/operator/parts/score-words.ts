import { type Band, bandOf, LITTLE_EVIDENCE } from '@inkling/contract'

/** Shown as words as well, so that colour is never the only sign. */
export const BAND_LABELS: Record<Band, string> = {
  trusted: 'Trusted',
  suspicious: 'Suspicious',
  dangerous: 'Dangerous',
  rate_limited: 'Rate limited',
}

/** Of visits that were all rate limited. */
export const NOT_SCORED = 'not scored'

export interface ScoreWords {
  /** The band whose colours the score has. */
  tone: Band
  /** Undefined for a visit that was rate limited. */
  score: number | undefined
  said: string | undefined
}

/**
 * A low score is trust only where enough is known of the visit: otherwise its tone is neutral.
 * @param evidence how much is known of the visit, 0 to 1; undefined where that is not known, and the number stands alone
 */
export function scoreWords(score: number, evidence: number | undefined): ScoreWords {
  const band = bandOf(score)
  const said = BAND_LABELS[band]
  if (band === 'rate_limited') return { tone: band, score: undefined, said }
  if (band !== 'trusted') return { tone: band, score, said }
  if (evidence === undefined) return { tone: 'rate_limited', score, said: undefined }
  return evidence < LITTLE_EVIDENCE
    ? { tone: 'rate_limited', score, said: `${said}, little known` }
    : { tone: band, score, said }
}
