import { homeDevice, type Pattern, type PatternRow } from '../../src/jobs/patterns/pattern.ts'
import { gradePattern } from '../../src/jobs/patterns/patterns.ts'
import { DAY_MS, HOUR_MS } from '../../src/lib/durations.ts'

export const NOW_MS = Date.UTC(2026, 10, 21, 12)

let lastId = 0

/** A low-risk visit from home, half an hour ago. */
export const visit = (given: Partial<PatternRow> = {}): PatternRow => {
  lastId += 1
  return {
    id: lastId,
    atMs: NOW_MS - HOUR_MS / 2,
    deviceId: 'phone',
    visitorId: 'visitor',
    cookieId: 'cookie',
    account: 'ada',
    host: 'shop.example',
    ip: ipv4(91, 0, 0, 1),
    country: 'Germany',
    hidden: false,
    score: 0,
    leakedIp: undefined,
    ...given,
  }
}

export const ipv4 = (a: number, b: number, c: number, d: number): number =>
  ((a << 24) | (b << 16) | (c << 8) | d) >>> 0

/** `count` visits; `given` gets the index of each. */
export const visits = (count: number, given: (index: number) => Partial<PatternRow>): PatternRow[] =>
  Array.from({ length: count }, (_, index) => visit(given(index)))

export const daysAgo = (days: number): number => NOW_MS - days * DAY_MS
export const hoursAgo = (hours: number): number => NOW_MS - hours * HOUR_MS

/** The grade of an entity with these visits; undefined when it does not show the pattern. */
export function gradeOf(
  pattern: Pattern,
  rows: readonly PatternRow[],
  homes: Record<string, string> = {},
): string | undefined {
  const newestFirst = rows.toSorted((a, b) => b.atMs - a.atMs)
  // Unless the test says otherwise, these are all visits of the accounts.
  const homeDeviceOf = (account: string) =>
    homes[account] ?? homeDevice(rows.flatMap((row) => (row.account === account ? [row.deviceId] : [])))
  return gradePattern(pattern, newestFirst, homeDeviceOf, NOW_MS)?.grade
}
