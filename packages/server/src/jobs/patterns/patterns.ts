import { BANDS, type PatternGrade } from '@inkling/contract'
import { FINDING_ROWS_MAX } from '@inkling/contract/account'
import { changingIdsOnAccount, manyCountriesOnAccount, manyDevicesOnAccount } from './account-patterns.ts'
import { manyAccountsOnDevice, manyDevicesOnVisitor } from './device-patterns.ts'
import { manyAccountsOnLocalIp, sharedLocalIp } from './local-ip-patterns.ts'
import { newDeviceAndCountry } from './new-device-and-country.ts'
import { averageScore, type HomeDeviceOf, type Pattern, type PatternRow, type Threshold } from './pattern.ts'

/** All patterns; `docs/patterns.md` describes them. */
export const PATTERNS: readonly Pattern[] = [
  manyAccountsOnDevice,
  manyDevicesOnAccount,
  changingIdsOnAccount,
  manyAccountsOnLocalIp,
  manyCountriesOnAccount,
  manyDevicesOnVisitor,
  sharedLocalIp,
  newDeviceAndCountry,
]

/** No pattern looks further back. */
export const LONGEST_WINDOW_MS = Math.max(...PATTERNS.map(({ windowMs }) => windowMs))

/** From this average score on, the `highRisk` threshold applies. */
const HIGH_RISK_SCORE = BANDS.dangerous.from

export interface GradedPattern {
  grade: PatternGrade
  count: number
  suspiciousFrom: number
  dangerousFrom: number
  averageScore: number
  firstAtMs: number
  lastAtMs: number
  /** IDs of the identifications that show it, newest first. */
  rowIds: number[]
}

/**
 * Grades a pattern on one entity; undefined when the entity does not show it.
 * @param rows of the entity, newest first; rows outside of the pattern's window are ignored
 */
export function gradePattern(
  pattern: Pattern,
  rows: readonly PatternRow[],
  homeDeviceOf: HomeDeviceOf,
  nowMs: number,
): GradedPattern | undefined {
  const inWindow = rows.filter(({ atMs }) => atMs > nowMs - pattern.windowMs && atMs <= nowMs)
  const counted = pattern.count(inWindow, homeDeviceOf, nowMs)
  const score = averageScore(inWindow)
  const suspiciousFrom = thresholdAt(pattern.suspicious, score)
  const dangerousFrom = thresholdAt(pattern.dangerous, score)
  if (counted.count < suspiciousFrom || counted.rows.length === 0) return undefined
  const evidence = counted.rows.toSorted((a, b) => b.atMs - a.atMs)
  return {
    grade: counted.count < dangerousFrom ? 'suspicious' : 'dangerous',
    count: counted.count,
    suspiciousFrom,
    dangerousFrom,
    averageScore: score,
    firstAtMs: evidence.at(-1)?.atMs ?? nowMs,
    lastAtMs: evidence[0]?.atMs ?? nowMs,
    rowIds: evidence.slice(0, FINDING_ROWS_MAX).map(({ id }) => id),
  }
}

/** Interpolates linearly between the two thresholds: the riskier the visits, the fewer it takes. */
const thresholdAt = ({ lowRisk, highRisk }: Threshold, score: number): number =>
  Math.round(lowRisk + ((highRisk - lowRisk) * Math.min(score, HIGH_RISK_SCORE)) / HIGH_RISK_SCORE)
