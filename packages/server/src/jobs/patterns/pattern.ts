import type { PatternEntity, PatternName } from '@inkling/contract'

/**
 * One identification as the patterns see it. What names nobody is undefined: nil IDs, accounts that strangers
 * share, addresses that everybody's router hands out.
 */
export interface PatternRow {
  id: number
  atMs: number
  deviceId: string | undefined
  visitorId: string | undefined
  cookieId: string | undefined
  account: string | undefined
  host: string
  /** Public IPv4 address as a number. */
  ip: number | undefined
  country: string | undefined
  /** Whether a VPN, proxy, relay or Tor stands between the visitor and the public address. */
  hidden: boolean
  /** Undefined for a rate-limited visit, which has none. */
  score: number | undefined
  /** The address behind the public one, where the network check saw another. */
  leakedIp: number | undefined
}

/** Counts that a grade asks for: `calm` at an average score of 0, `risky` at 60 and above. */
export interface Threshold {
  calm: number
  risky: number
}

/** What counted, and the rows that show it. */
export interface Weighed {
  count: number
  rows: readonly PatternRow[]
}

/** What is known besides the rows of the entity itself. */
export interface Surroundings {
  /** The device that an account is mostly used on; undefined when that is none in particular. */
  homeOf(account: string): string | undefined
}

export interface Pattern {
  name: PatternName
  entity: PatternEntity
  /** How far back it looks. */
  windowMs: number
  suspicious: Threshold
  dangerous: Threshold
  /** @param rows of the window and of one entity, newest first */
  weigh(rows: readonly PatternRow[], surroundings: Surroundings, nowMs: number): Weighed
}

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
