import { flagsToBits } from '../lib/flag-bits.ts'
import type { Rules } from '../score/rules.ts'
import { score } from '../score/score.ts'
import { identificationRow } from '../store/identification-row.ts'
import type { Store } from '../store/store.ts'
import type { StoredVisitRow } from './stored-visits.ts'

export type Band = 'trusted' | 'suspicious' | 'dangerous'

export interface RescoreReport {
  identifications: number
  /** Those whose score or flags are others now. */
  changed: number
  /** How many were and are in each band. */
  byBand: Record<Band, { before: number; after: number }>
}

export interface RescoreOptions {
  rules: Rules
  /** Writes what changed as a later version of each row, without any event; undefined only reports. */
  commit: Store['commit'] | undefined
  now(): number
}

/** Scores stored visits again. The same facts under the same rules give the same score. */
export async function rescore(
  visits: AsyncIterable<StoredVisitRow>,
  { rules, commit, now }: RescoreOptions,
): Promise<RescoreReport> {
  const none = () => ({ before: 0, after: 0 })
  const report: RescoreReport = {
    identifications: 0,
    changed: 0,
    byBand: { trusted: none(), suspicious: none(), dangerous: none() },
  }
  for await (const { row, visit } of visits) {
    const scored = score(visit, rules)
    report.identifications += 1
    report.byBand[bandOf(row.score)].before += 1
    report.byBand[bandOf(scored.verdict.score)].after += 1
    if (scored.verdict.score === row.score && flagsToBits(scored.verdict.flags) === row.flags) continue
    report.changed += 1
    const outcome = await commit?.({
      type: 'refinement',
      row: identificationRow(scored, Math.max(now(), row.ver + 1)),
      snapshot: undefined,
      outbox: [],
    })
    if (outcome?.type === 'failed') throw new Error(outcome.message)
  }
  return report
}

const bandOf = (points: number): Band =>
  points >= 60 ? 'dangerous' : points >= 30 ? 'suspicious' : 'trusted'
