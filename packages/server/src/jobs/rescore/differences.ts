import { bandOf, type ScoredBand } from '@inkling/contract'
import { flagsToBits } from '../../lib/flag-bits.ts'
import { readVerdict } from '../../store/identifications/identification-row.ts'
import type { IdentificationRow } from '../../store/identifications/identifications.ts'
import { requestIdText } from '../../store/identifications/lookup.ts'
import type { Scored } from '../../visit/identification.ts'

export type BandMatrix = Record<ScoredBand, Record<ScoredBand, number>>

/** How many visits a signal hit, and the points it added to all of them together. */
export interface SignalTotals {
  hits: number
  points: number
}

/** A visit that moved to another band. */
export interface BandChange {
  requestId: string
  atMs: number
  score: { before: number; after: number }
}

/** What other weights change. */
export interface Differences {
  identifications: number
  /** Visits whose score or flags changed. */
  changed: number
  /** Visits by their band before, then by their band after. */
  matrix: BandMatrix
  signals: Map<string, { before: SignalTotals; after: SignalTotals }>
  /** The first few visits that moved, for each pair of bands. */
  samples: BandChange[]
}

const SAMPLES_PER_PAIR = 5

/** A report on no visits yet. */
export const emptyDifferences = (): Differences => ({
  identifications: 0,
  changed: 0,
  matrix: {
    trusted: { trusted: 0, suspicious: 0, dangerous: 0 },
    suspicious: { trusted: 0, suspicious: 0, dangerous: 0 },
    dangerous: { trusted: 0, suspicious: 0, dangerous: 0 },
  },
  signals: new Map(),
  samples: [],
})

/** Whether the score or the flags of a visit changed. */
export const isChanged = (row: IdentificationRow, { verdict }: Scored): boolean =>
  row.score !== verdict.score || row.flags !== flagsToBits(verdict.flags)

/** Adds one visit. */
export function addRescored(differences: Differences, row: IdentificationRow, scored: Scored): void {
  const { verdict } = scored
  const score = { before: row.score, after: verdict.score }
  const bands = { before: bandOf(score.before), after: bandOf(score.after) }
  // Rate-limited visits have no snapshot, so none is ever scored again.
  if (bands.before === 'rate_limited' || bands.after === 'rate_limited') return
  differences.identifications += 1
  const ofBand = differences.matrix[bands.before]
  ofBand[bands.after] += 1
  if (bands.before !== bands.after && ofBand[bands.after] <= SAMPLES_PER_PAIR)
    differences.samples.push({ requestId: requestIdText(row.request_id), atMs: row.created_at, score })
  for (const { name, value } of readVerdict(row.verdict).entries)
    addPoints(differences, { name, value, side: 'before' })
  for (const { name, value } of verdict.entries) addPoints(differences, { name, value, side: 'after' })
  if (isChanged(row, scored)) differences.changed += 1
}

function addPoints(
  { signals }: Differences,
  { name, value, side }: { name: string; value: number; side: 'before' | 'after' },
): void {
  if (value === 0) return
  const known = signals.get(name) ?? { before: { hits: 0, points: 0 }, after: { hits: 0, points: 0 } }
  known[side].hits += 1
  known[side].points += value
  signals.set(name, known)
}
