import type { Case } from '../case.ts'
import type { Before } from '../results-file.ts'
import type { Result } from '../run-case.ts'

/** From here on a customer refuses or challenges a visit. */
export const GOAL = 60

/** A case with the verdicts of its runs. */
export interface Judged {
  one: Case
  /** Lowest and highest score; undefined without a measured run. */
  scores: readonly [low: number, high: number] | undefined
  before: number | undefined
  /** Names of signals that added points in any run, and of those that added none in parentheses. */
  signals: string[]
  /** Lowest evidence coverage of the runs, where the release has it. */
  coverage: number | undefined
  remarks: string[]
  errors: string[]
  skipped: string | undefined
  /**
   * A forger: that all runs reach the goal. A person: that some run has more points than before. Undefined without a
   * measurement, and for a person also without one of before.
   */
  caught: boolean | undefined
}

export const judgeAll = (cases: readonly Case[], results: readonly Result[], before: Before): Judged[] =>
  cases.map((one) =>
    judge(
      one,
      results.filter(({ id }) => id === one.id),
      before.scores[one.id],
    ),
  )

function judge(one: Case, runs: readonly Result[], before: number | undefined): Judged {
  const verdicts = runs.flatMap(({ verdict }) => verdict ?? [])
  const values = verdicts.map(({ score }) => score)
  const scores = values.length === 0 ? undefined : ([Math.min(...values), Math.max(...values)] as const)
  const coverages = verdicts.flatMap(({ coverage }) => coverage ?? [])
  const entries = verdicts.flatMap((verdict) => verdict.entries)
  const counted = new Set(entries.filter(({ points }) => points !== 0).map(({ name }) => name))
  const listed = new Set(entries.map(({ name }) => name).filter((name) => !counted.has(name)))
  return {
    one,
    scores,
    before,
    signals: [...counted, ...[...listed].map((name) => `(${name})`)],
    coverage: coverages.length === 0 ? undefined : Math.min(...coverages),
    remarks: [...new Set(runs.flatMap(({ remarks = [] }) => remarks))],
    errors: runs.flatMap(({ error }) => error ?? []),
    skipped: runs.find(({ skipped }) => skipped !== undefined)?.skipped,
    caught: caught(one, scores, before),
  }
}

function caught({ kind }: Case, scores: Judged['scores'], before: number | undefined): boolean | undefined {
  if (!scores) return undefined
  if (kind === 'forger') return scores[0] >= GOAL
  return before === undefined ? undefined : scores[1] > before
}
