import { flagsToBits } from '../../lib/flag-bits.ts'
import { type IdentificationRow, requestIdText } from '../../store/identifications.ts'
import { readVerdict } from '../../store/stored-verdict.ts'
import type { Scored } from '../../visit/identification.ts'

export const BANDS = ['trusted', 'suspicious', 'dangerous'] as const
export type Band = (typeof BANDS)[number]
export type BandMatrix = Record<Band, Record<Band, number>>

/** How often a signal counted, and what it added to all visits together. */
export interface SignalTotals {
  hits: number
  points: number
}

/** A visit that is in another band now. */
export interface BandChange {
  requestId: string
  atMs: number
  score: { before: number; after: number }
}

export interface Differences {
  identifications: number
  /** Those whose score or flags are others now. */
  changed: number
  /** How many of each band are in which: by the band before, then the band after. */
  matrix: BandMatrix
  signals: Map<string, { before: SignalTotals; after: SignalTotals }>
  /** The first few for each pair of bands. */
  samples: BandChange[]
}

const SAMPLES_OF_A_PAIR = 5

export const bandOf = (points: number): Band =>
  points >= 60 ? 'dangerous' : points >= 30 ? 'suspicious' : 'trusted'

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

/** Adds one visit. @returns whether its score or flags are others now */
export function addVisit(differences: Differences, row: IdentificationRow, { verdict }: Scored): boolean {
  const score = { before: row.score, after: verdict.score }
  const bands = { before: bandOf(score.before), after: bandOf(score.after) }
  differences.identifications += 1
  const ofBand = differences.matrix[bands.before]
  ofBand[bands.after] += 1
  if (bands.before !== bands.after && ofBand[bands.after] <= SAMPLES_OF_A_PAIR)
    differences.samples.push({ requestId: requestIdText(row.request_id), atMs: row.created_at, score })
  for (const { name, value } of readVerdict(row.verdict).entries)
    addPoints(differences, { name, value, side: 'before' })
  for (const { name, value } of verdict.entries) addPoints(differences, { name, value, side: 'after' })
  const isChanged = score.before !== score.after || flagsToBits(verdict.flags) !== row.flags
  if (isChanged) differences.changed += 1
  return isChanged
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
