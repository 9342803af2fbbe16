/** How a domain's visits come: with a cookie that is known, or without. */
export interface Pace {
  known: number
  unknown: number
}

/** Share of the visits of known devices that lost their cookie: about a third of browsers clear theirs, and
 * some visits are in private windows. */
const LOST_SHARE = 0.12
/** About so many of the latest visits count. */
const MEMORY_VISITS = 3_000
/** Before a domain has traffic of its own: half of the visits without a known cookie are of new devices. */
export const startPace = (): Pace => ({ known: 100, unknown: 24 })

export function follow(pace: Pace, cookieKnown: boolean): void {
  const keep = 1 - 1 / MEMORY_VISITS
  pace.known = pace.known * keep + (cookieKnown ? 1 : 0)
  pace.unknown = pace.unknown * keep + (cookieKnown ? 0 : 1)
}

/** Of the visits without a known cookie: how many are of new devices, for one of a known device. */
export function newForKnown({ known, unknown }: Pace): number {
  const lost = known * LOST_SHARE
  return Math.min(12, Math.max(0.3, unknown / Math.max(lost, 0.1) - 1))
}
