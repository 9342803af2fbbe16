import type { LinkWeights } from './weights.ts'

/** How a domain's visits arrive: with a cookie that is known, or without. */
export interface Arrivals {
  known: number
  unknown: number
}

/** About so many of the latest visits count. */
const MEMORY_VISITS = 3_000

/** Before a domain has traffic of its own, half of the visits without a known cookie are of new devices. */
export const firstArrivals = (): Arrivals => ({ known: 100, unknown: 24 })

/** Counts one visit. */
export function countArrival(arrivals: Arrivals, isCookieKnown: boolean): void {
  const keep = 1 - 1 / MEMORY_VISITS
  arrivals.known = arrivals.known * keep + (isCookieKnown ? 1 : 0)
  arrivals.unknown = arrivals.unknown * keep + (isCookieKnown ? 0 : 1)
}

/** New devices for each returning one among the visits without a known cookie. */
export function newForKnown({ known, unknown }: Arrivals, weights: LinkWeights): number {
  const lost = known * weights.lostShare
  const ratio = unknown / Math.max(lost, 0.1) - 1
  return Math.min(weights.newForKnownMax, Math.max(weights.newForKnownMin, ratio))
}
