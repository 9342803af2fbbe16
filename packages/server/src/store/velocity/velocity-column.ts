import {
  type DistinctCounter,
  OWN_COUNTER,
  VELOCITY_COUNTERS,
  VELOCITY_SUBJECTS,
  type Velocity,
  type VelocityCounts,
  type VelocitySubject,
  type WindowCounts,
} from '../../visit/velocity.ts'
import { type ByteReader, type ByteWriter, byteReader } from './bytes.ts'

/*
 * The column `identifications.velocity`: the counts right after the visit, itself included. A byte for the format, one
 * with a bit for each subject, then the counts of these. Most visits are alone in all windows, so equal counts take one
 * number: twice the count, plus one where the three larger windows follow as differences.
 */

const FORMAT = 1

/** The counts that were stored with an identification; all null for one that was not counted. */
export function velocityOf({ velocity }: { velocity: Uint8Array | null }): Velocity {
  const reader = velocity === null ? undefined : byteReader(velocity)
  const isKnown = reader?.byte() === FORMAT
  const present = reader && isKnown ? reader.byte() : 0
  const read = (subject: VelocitySubject, index: number): VelocityCounts | null =>
    reader && present & (1 << index) ? readCounts(reader, subject) : null
  return Object.fromEntries(
    VELOCITY_SUBJECTS.map((subject, index) => [subject, read(subject, index)]),
  ) as Velocity
}

/** Begins a column; the counts of each subject follow, in their order. */
export function beginColumn(writer: ByteWriter, isPresent: (index: number) => boolean): void {
  writer.byte(FORMAT)
  writer.byte(VELOCITY_SUBJECTS.reduce((bits, _, index) => bits | (isPresent(index) ? 1 << index : 0), 0))
}

export function writeCounts(writer: ByteWriter, subject: VelocitySubject, counts: VelocityCounts): void {
  for (const counter of VELOCITY_COUNTERS) {
    const { m5, h1, h24, d7 } = counts[counter]
    if (counter !== OWN_COUNTER[subject]) writeWindows(writer, m5, h1, h24, d7)
  }
}

function readCounts(reader: ByteReader, subject: VelocitySubject): VelocityCounts {
  const own = OWN_COUNTER[subject]
  const counts: Partial<VelocityCounts> = {}
  for (const counter of VELOCITY_COUNTERS) {
    if (counter !== own) counts[counter] = readWindows(reader)
  }
  const complete = counts as VelocityCounts
  return own ? withOwn(complete, own) : complete
}

/** One of itself, in the windows in which it was seen. */
export function withOwn(counts: VelocityCounts, own: DistinctCounter): VelocityCounts {
  const { m5, h1, h24, d7 } = counts.visits
  const one = (visits: number): number => (visits > 0 ? 1 : 0)
  return { ...counts, [own]: { m5: one(m5), h1: one(h1), h24: one(h24), d7: one(d7) } }
}

export function writeWindows(writer: ByteWriter, m5: number, h1: number, h24: number, d7: number): void {
  const isSame = m5 === d7
  writer.number(m5 * 2 + (isSame ? 0 : 1))
  if (isSame) return
  writer.number(h1 - m5)
  writer.number(h24 - h1)
  writer.number(d7 - h24)
}

function readWindows(reader: ByteReader): WindowCounts {
  const first = reader.number()
  const m5 = Math.floor(first / 2)
  if (first % 2 === 0) return { m5, h1: m5, h24: m5, d7: m5 }
  const h1 = m5 + reader.number()
  const h24 = h1 + reader.number()
  return { m5, h1, h24, d7: h24 + reader.number() }
}
