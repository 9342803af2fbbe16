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
  lowRisk: number
  highRisk: number
}

/** What counted, and the rows that show it. */
export interface Counted {
  count: number
  rows: readonly PatternRow[]
}

/** What is known besides the rows of the entity itself. */
export interface AccountHomes {
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
  count(rows: readonly PatternRow[], surroundings: AccountHomes, nowMs: number): Counted
}

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** Rows by a value that they share; those without one are left out. */
export function groupRows<Value>(
  rows: readonly PatternRow[],
  read: (row: PatternRow) => Value | undefined,
): Map<Value, PatternRow[]> {
  const groups = new Map<Value, PatternRow[]>()
  for (const row of rows) {
    const value = read(row)
    if (value === undefined) continue
    const group = groups.get(value)
    if (group) group.push(row)
    else groups.set(value, [row])
  }
  return groups
}

/** How many values there are, and the rows that have one. */
export function countDistinct<Value>(
  rows: readonly PatternRow[],
  read: (row: PatternRow) => Value | undefined,
): { count: number; rows: PatternRow[] } {
  const groups = groupRows(rows, read)
  return { count: groups.size, rows: [...groups.values()].flat() }
}

/** Of the rows that have a score; 0 without any. */
export function averageScore(rows: readonly PatternRow[]): number {
  const scores = rows.flatMap(({ score }) => (score === undefined ? [] : [score]))
  return scores.length === 0 ? 0 : scores.reduce((sum, score) => sum + score, 0) / scores.length
}

/** The device of at least half of an account's visits; undefined when there is none. */
export function homeDevice(devices: readonly (string | undefined)[]): string | undefined {
  const counts = new Map<string, number>()
  for (const device of devices) if (device !== undefined) counts.set(device, (counts.get(device) ?? 0) + 1)
  const [most] = [...counts].sort(([, a], [, b]) => b - a)
  return most !== undefined && most[1] * 2 >= devices.length ? most[0] : undefined
}
