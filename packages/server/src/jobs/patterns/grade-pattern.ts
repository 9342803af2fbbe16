import type { PatternGrade } from '@inkling/contract'
import { averageScore, type Pattern, type PatternRow, type AccountHomes, type Threshold } from './pattern.ts'

/** From this average score on an entity needs the least; the band of dangerous scores begins here. */
const RISKY_SCORE = 60

/** Rows that are kept as evidence, the newest. */
const EVIDENCE_MAX = 200

export interface GradedPattern {
  grade: PatternGrade
  count: number
  suspiciousFrom: number
  dangerousFrom: number
  averageScore: number
  firstAtMs: number
  lastAtMs: number
  /** Identifications that made it, newest first. */
  rowIds: number[]
}

/** `calm + (risky - calm) × min(average score, 60) / 60`, rounded: the riskier, the less it takes. */
export const countNeeded2 = ({ lowRisk, highRisk }: Threshold, score: number): number =>
  Math.round(lowRisk + ((highRisk - lowRisk) * Math.min(score, RISKY_SCORE)) / RISKY_SCORE)

/**
 * Whether a pattern is on an entity.
 * @param rows of one entity, newest first; older ones than the window are left out
 */
export function gradePattern(
  pattern: Pattern,
  rows: readonly PatternRow[],
  surroundings: AccountHomes,
  nowMs: number,
): GradedPattern | undefined {
  const within = rows.filter(({ atMs }) => atMs > nowMs - pattern.windowMs && atMs <= nowMs)
  const weighed = pattern.count(within, surroundings, nowMs)
  const score = averageScore(within)
  const suspiciousFrom = countNeeded2(pattern.suspicious, score)
  const dangerousFrom = countNeeded2(pattern.dangerous, score)
  if (weighed.count < suspiciousFrom || weighed.rows.length === 0) return undefined
  const evidence = weighed.rows.toSorted((a, b) => b.atMs - a.atMs)
  const lastAtMs = evidence[0]?.atMs ?? nowMs
  const firstAtMs = evidence.at(-1)?.atMs ?? nowMs
  return {
    grade: weighed.count < dangerousFrom ? 'suspicious' : 'dangerous',
    count: weighed.count,
    suspiciousFrom,
    dangerousFrom,
    averageScore: score,
    firstAtMs,
    lastAtMs,
    rowIds: evidence.slice(0, EVIDENCE_MAX).map(({ id }) => id),
  }
}
