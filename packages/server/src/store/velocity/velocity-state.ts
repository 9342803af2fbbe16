import {
  type DistinctCounter,
  OWN_COUNTER,
  VELOCITY_COUNTERS,
  type VelocityCounts,
  type VelocitySubject,
  type WindowCounts,
} from '../../visit/velocity.ts'
import { type ByteReader, type ByteWriter, byteReader, byteWriter } from './bytes.ts'
import {
  addToSketch,
  emptySketch,
  estimatesOf,
  pruneSketch,
  readSketch,
  type Sketch,
  writeSketch,
} from './sketch.ts'
import { withOwn } from './velocity-column.ts'
import { addToWindows, bucketOf, type Starts, startsOf, tickOf } from './windows.ts'

/*
 * The counts of one subject: visits in buckets, and of each different value the time it was last seen, which answers
 * every window. Nothing here depends on the order of the visits, except which of them has seen which others.
 */

/** More different values in 7 days than this are estimated: see `sketch.ts`. */
export const EXACT_MAX = 256
const FORMAT = 1

/** When a value was last seen, by its hash of 48 bits. */
type Exact = Map<number, number>
type Distinct = { exact: Exact } | { sketch: Sketch }

export interface VelocityState {
  subject: VelocitySubject
  /** Tick of the latest visit, the time of all counts. */
  newest: number
  /** Visits by the tick where their bucket starts. */
  visits: Map<number, number>
  distinct: Map<DistinctCounter, Distinct>
}

/** The values of a visit as hashes of 48 bits, missing where it has none. */
export type VisitValues = Readonly<Partial<Record<DistinctCounter, number>>>

export const emptyState = (subject: VelocitySubject): VelocityState => ({
  subject,
  newest: 0,
  visits: new Map(),
  distinct: new Map(countersOf(subject).map((counter) => [counter, { exact: new Map() }])),
})

const COUNTERS = VELOCITY_COUNTERS.filter((counter) => counter !== 'visits')
const countersOf = (subject: VelocitySubject): DistinctCounter[] =>
  COUNTERS.filter((counter) => counter !== OWN_COUNTER[subject])

/** Counts a visit, which may be earlier than others. Changes the state. */
export function addVisit(state: VelocityState, values: VisitValues, atMs: number): void {
  const tick = tickOf(atMs)
  state.newest = Math.max(state.newest, tick)
  state.visits.set(tick, (state.visits.get(tick) ?? 0) + 1)
  for (const [counter, distinct] of state.distinct) {
    const hash = values[counter]
    if (hash === undefined) continue
    if ('sketch' in distinct) addToSketch(distinct.sketch, hash, tick)
    else addExact(state, counter, distinct.exact, { hash, tick })
  }
}

function addExact(
  { newest, distinct }: VelocityState,
  counter: DistinctCounter,
  exact: Exact,
  { hash, tick }: { hash: number; tick: number },
): void {
  exact.set(hash, Math.max(tick, exact.get(hash) ?? 0))
  if (exact.size <= EXACT_MAX) return
  pruneExact(exact, startsOf(newest).d7)
  if (exact.size <= EXACT_MAX) return
  const sketch = emptySketch()
  for (const [value, seen] of exact) addToSketch(sketch, value, seen)
  distinct.set(counter, { sketch })
}

/** The counts at that time, or at the latest visit's if that is later: clocks of several nodes differ. */
export function countsOf(state: VelocityState, atMs: number): VelocityCounts {
  const starts = startsOf(Math.max(state.newest, tickOf(atMs)))
  const visits = none()
  for (const [tick, count] of state.visits) addToWindows(visits, tick, count, starts)
  const counts: VelocityCounts = {
    visits,
    devices: none(),
    accounts: none(),
    addresses: none(),
    countries: none(),
    cookies: none(),
  }
  for (const [counter, distinct] of state.distinct) counts[counter] = distinctCounts(distinct, starts)
  const own = OWN_COUNTER[state.subject]
  return own ? withOwn(counts, own) : counts
}

const none = (): WindowCounts => ({ m5: 0, h1: 0, h24: 0, d7: 0 })

function distinctCounts(distinct: Distinct, starts: Starts): WindowCounts {
  if ('sketch' in distinct) return estimatesOf(distinct.sketch, starts)
  const counts = none()
  for (const tick of distinct.exact.values()) addToWindows(counts, tick, 1, starts)
  return counts
}

/** Forgets that a value was seen. An estimate has no values to forget. */
export function forgetValue(state: VelocityState, counter: DistinctCounter, hash: number): void {
  const distinct = state.distinct.get(counter)
  if (distinct && 'exact' in distinct) distinct.exact.delete(hash)
}

/** Drops what is in no window any more, and joins the buckets that are only in larger ones. */
function compact({ newest, visits, distinct }: VelocityState): void {
  const starts = startsOf(newest)
  for (const [tick, count] of [...visits]) {
    const bucket = bucketOf(tick, starts)
    if (bucket === tick && tick >= starts.d7) continue
    visits.delete(tick)
    if (tick >= starts.d7) visits.set(bucket, (visits.get(bucket) ?? 0) + count)
  }
  for (const [counter, one] of distinct) {
    if ('exact' in one) pruneExact(one.exact, starts.d7)
    else if (!pruneSketch(one.sketch, starts.d7)) distinct.set(counter, { exact: new Map() })
  }
}

function pruneExact(exact: Exact, from: number): void {
  for (const [hash, tick] of exact) if (tick < from) exact.delete(hash)
}

/** The format, the newest tick, the buckets from the newest, then each counter's values. Compacts the state. */
export function encodeState(state: VelocityState): Uint8Array {
  compact(state)
  const { newest } = state
  const writer = byteWriter()
  writer.byte(FORMAT)
  writer.number(newest)
  writer.number(state.visits.size)
  let later = newest
  for (const [tick, count] of [...state.visits].sort(([a], [b]) => b - a)) {
    writer.number(later - tick)
    writer.number(count)
    later = tick
  }
  for (const counter of countersOf(state.subject)) writeDistinct(writer, state.distinct.get(counter), newest)
  return writer.bytes()
}

/** Twice the number of values, or 1 for a sketch. */
const SKETCH = 1

function writeDistinct(writer: ByteWriter, distinct: Distinct | undefined, newest: number): void {
  if (distinct && 'sketch' in distinct) {
    writer.number(SKETCH)
    writeSketch(writer, distinct.sketch, newest)
    return
  }
  writer.number((distinct?.exact.size ?? 0) * 2)
  for (const [hash, tick] of distinct?.exact ?? []) {
    writer.hash(hash)
    writer.number(newest - tick)
  }
}

/** The state in these bytes; an empty one for those of a later release. */
export function decodeState(subject: VelocitySubject, bytes: Uint8Array): VelocityState {
  const reader = byteReader(bytes)
  const state = emptyState(subject)
  if (reader.byte() !== FORMAT) return state
  state.newest = reader.number()
  let later = state.newest
  for (let rest = reader.number(); rest > 0; rest--) {
    later -= reader.number()
    state.visits.set(later, reader.number())
  }
  for (const counter of countersOf(subject)) state.distinct.set(counter, readDistinct(reader, state.newest))
  return state
}

function readDistinct(reader: ByteReader, newest: number): Distinct {
  const size = reader.number()
  if (size === SKETCH) return { sketch: readSketch(reader, newest) }
  const exact: Exact = new Map()
  for (let rest = size / 2; rest > 0; rest--) {
    const hash = reader.hash()
    exact.set(hash, newest - reader.number())
  }
  return { exact }
}
