import type { PatternEntity, PatternName } from '@inkling/contract'

/**
 * One identification as the patterns see it. A value that identifies nobody is undefined: a nil ID, a placeholder
 * account, a private or carrier-grade address.
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
  /** Whether the public address belongs to a VPN, proxy, relay or Tor exit. */
  hidden: boolean
  /** Undefined for a rate-limited visit, which is not scored. */
  score: number | undefined
  /** The address behind the public one, where the network check saw one. */
  leakedIp: number | undefined
}

/** The count that earns a grade: `lowRisk` at an average score of 0, falling to `highRisk` at 60 and above. */
export interface Threshold {
  lowRisk: number
  highRisk: number
}

/** How much was found, and the rows that show it. */
export interface CountedRows {
  count: number
  rows: readonly PatternRow[]
}

/** The device that an account mostly uses, wherever it is; undefined if there is none. */
export type HomeDeviceOf = (account: string) => string | undefined

export interface Pattern {
  name: PatternName
  entity: PatternEntity
  /** How far back it looks. */
  windowMs: number
  suspicious: Threshold
  dangerous: Threshold
  /**
   * @param rows of one entity within the window, newest first
   * @param homeDeviceOf known for the patterns of a device and of a local IP
   */
  count(rows: readonly PatternRow[], homeDeviceOf: HomeDeviceOf, nowMs: number): CountedRows
}

/** Rows by a value that they share; rows without the value are left out. */
export function groupRows<Value>(
  rows: readonly PatternRow[],
  read: (row: PatternRow) => Value | undefined,
): Map<Value, PatternRow[]> {
  const groups = Map.groupBy(rows, read)
  groups.delete(undefined)
  return groups as Map<Value, PatternRow[]>
}

/** Counts the distinct values; the evidence is every row that has one. */
export function countDistinct<Value>(
  rows: readonly PatternRow[],
  read: (row: PatternRow) => Value | undefined,
): CountedRows {
  const groups = groupRows(rows, read)
  return { count: groups.size, rows: [...groups.values()].flat() }
}

/** The average of the rows that have a score; 0 when none has. */
export function averageScore(rows: readonly PatternRow[]): number {
  const scores = rows.flatMap(({ score }) => score ?? [])
  return scores.length === 0 ? 0 : scores.reduce((sum, score) => sum + score, 0) / scores.length
}

/** The device of at least half of an account's visits; undefined when there is none. */
export function homeDevice(devices: readonly (string | undefined)[]): string | undefined {
  const counts = new Map<string, number>()
  for (const device of devices) if (device !== undefined) counts.set(device, (counts.get(device) ?? 0) + 1)
  const [most] = [...counts].sort(([, a], [, b]) => b - a)
  return most !== undefined && most[1] * 2 >= devices.length ? most[0] : undefined
}
