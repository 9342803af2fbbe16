import type { VelocitySubject } from '../../visit/velocity.ts'
import type { ByteWriter } from './bytes.ts'
import { countPacked, PACKED_MAX } from './count-packed.ts'
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

/** The counts of one subject in memory: the bytes of a state (latin1) while they are few, else the state. */
export type SubjectCounts = string | VelocityState

/** @param stored as `encodeState` made it */
export const countsFrom = (subject: VelocitySubject, stored: Uint8Array): SubjectCounts =>
  stored.length > PACKED_MAX
    ? decodeState(subject, stored)
    : Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength).toString('latin1')

/** Of a subject without visits. */
export const NO_COUNTS: SubjectCounts = ''

/**
 * Counts a visit, and writes the counts right after it as the column of an identification has them.
 * @param counts not to be used again: a state is changed
 */
export function countVisit(
  subject: VelocitySubject,
  counts: SubjectCounts,
  { values, atMs, column }: { values: VisitValues; atMs: number; column: ByteWriter },
): SubjectCounts {
  const packed =
    typeof counts === 'string'
      ? countPacked(counts, COUNTERS_OF[subject], { values, tick: tickOf(atMs), column })
      : undefined
  if (packed !== undefined) return packed
  const before = stateOf(subject, counts)
  const state = isOfFuture(before, atMs) ? emptyState(subject) : before
  addVisit(state, values, atMs)
  writeCounts(column, subject, countsOf(state, atMs))
  return state
}

/** A clock that was years ahead would else hide what comes until the time that it told. */
const isOfFuture = ({ newest }: VelocityState, atMs: number): boolean => newest > tickOf(atMs + VELOCITY_MS)

export function stateOf(subject: VelocitySubject, counts: SubjectCounts): VelocityState {
  if (typeof counts !== 'string') return counts
  return counts === '' ? emptyState(subject) : decodeState(subject, Buffer.from(counts, 'latin1'))
}

/** The bytes to be stored. */
export const storedCounts = (counts: SubjectCounts): Uint8Array =>
  typeof counts === 'string' ? Buffer.from(counts, 'latin1') : encodeState(counts)

/** What a decoded state takes: lists of numbers of eight bytes, and the objects around them. */
const DECODED = { objects: 1_000, factor: 10 }

/** Bytes of memory, about. */
export const sizeOf = (counts: SubjectCounts, stored: Uint8Array): number =>
  typeof counts === 'string' ? counts.length : DECODED.objects + DECODED.factor * stored.length
