import type { VelocitySubject } from '../../visit/velocity.ts'
import type { ByteWriter } from './bytes.ts'
import { countPacked, PACKED_MAX, type PackedState } from './count-packed.ts'
import { writeCounts } from './velocity-column.ts'
import {
  addVisit,
  COUNTERS_OF,
  countsOf,
  decodeState,
  emptyState,
  encodeState,
  type VelocityState,
  type VisitValues,
} from './velocity-state.ts'
import { tickOf, VELOCITY_MS } from './windows.ts'

/** The counts of one subject in memory: as bytes while they are few, else decoded. */
export interface SubjectCounts {
  readonly subject: VelocitySubject
  known: PackedState | { state: VelocityState }
}

/** @param stored as `encodeState` made it; undefined for a subject without visits */
export const countsFrom = (subject: VelocitySubject, stored?: Uint8Array): SubjectCounts => ({
  subject,
  known:
    stored && stored.length > PACKED_MAX
      ? { state: decodeState(subject, stored) }
      : { bytes: stored ?? NO_BYTES, length: stored?.length ?? 0 },
})
const NO_BYTES = new Uint8Array()

/** Counts a visit, and writes the counts right after it as the column of an identification has them. */
export function countVisit(
  counts: SubjectCounts,
  { values, atMs, column }: { values: VisitValues; atMs: number; column: ByteWriter },
): void {
  const { subject, known } = counts
  if ('bytes' in known && countPacked(known, COUNTERS_OF[subject], { values, tick: tickOf(atMs), column }))
    return
  const before = stateOf(counts)
  const state = isOfFuture(before, atMs) ? emptyState(subject) : before
  addVisit(state, values, atMs)
  writeCounts(column, subject, countsOf(state, atMs))
  counts.known = { state }
}

/** A clock that was years ahead would else hide what comes until the time that it told. */
const isOfFuture = ({ newest }: VelocityState, atMs: number): boolean => newest > tickOf(atMs + VELOCITY_MS)

export function stateOf({ subject, known }: SubjectCounts): VelocityState {
  if ('state' in known) return known.state
  return known.length === 0
    ? emptyState(subject)
    : decodeState(subject, known.bytes.subarray(0, known.length))
}

/** The bytes to be stored. What became small again is kept as bytes from now on. */
export function storedCounts(counts: SubjectCounts): Uint8Array {
  const { known } = counts
  if ('bytes' in known) return known.bytes.subarray(0, known.length)
  const bytes = encodeState(known.state)
  if (bytes.length <= PACKED_MAX && known.state.distinct.every((one) => 'exact' in one))
    counts.known = { bytes, length: bytes.length }
  return bytes
}

/** What a decoded state takes: lists of numbers of eight bytes, and the objects around them. */
const DECODED = { objects: 1_000, factor: 10 }

/** Bytes of memory, about. */
export const sizeOf = ({ known }: SubjectCounts, stored: Uint8Array): number =>
  'bytes' in known ? known.bytes.length : DECODED.objects + DECODED.factor * stored.length
