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
export const STATE_FORMAT = 1

/** Two lists side by side: for the few entries that most subjects have, maps would take most of the time. */
interface Pairs {
  keys: number[]
  values: number[]
}
const noPairs = (): Pairs => ({ keys: [], values: [] })

/** When a value was last seen, by its hash of 48 bits. */
type Exact = Pairs
type Distinct = { exact: Exact } | { sketch: Sketch }

export interface VelocityState {
  subject: VelocitySubject
  /** Tick of the latest visit, the time of all counts. */
  newest: number
  /** The ticks where buckets start, from the oldest, and the visits in each. */
  visits: Pairs
  /** In the order of `COUNTERS_OF` for the subject. */
  distinct: Distinct[]
}

/** The values of a visit as hashes of 48 bits, missing where it has none. */
export type VisitValues = Readonly<Partial<Record<DistinctCounter, number>>>

export const emptyState = (subject: VelocitySubject): VelocityState => ({
  subject,
  newest: 0,
  visits: noPairs(),
  distinct: COUNTERS_OF[subject].map(() => ({ exact: noPairs() })),
})

const countersOf = (subject: VelocitySubject): DistinctCounter[] =>
  VELOCITY_COUNTERS.filter((counter) => counter !== 'visits').filter(
    (counter) => counter !== OWN_COUNTER[subject],
  )
/** What is counted of each subject: all but itself. */
export const COUNTERS_OF: Readonly<Record<VelocitySubject, readonly DistinctCounter[]>> = {
  device: countersOf('device'),
  visitor: countersOf('visitor'),
  cookie: countersOf('cookie'),
  account: countersOf('account'),
  address: countersOf('address'),
  prefix: countersOf('prefix'),
}

/** Counts a visit, which may be earlier than others. Changes the state. */
export function addVisit(state: VelocityState, values: VisitValues, atMs: number): void {
  const tick = tickOf(atMs)
  state.newest = Math.max(state.newest, tick)
  addCount(state.visits, tick, 1)
  const { subject, distinct } = state
  COUNTERS_OF[subject].forEach((counter, index) => {
    const hash = values[counter]
    const known = distinct[index]
    if (hash === undefined || !known) return
    if ('sketch' in known) addToSketch(known.sketch, hash, tick)
    else distinct[index] = withValue(known.exact, state.newest, { hash, tick })
  })
}

/** Keeps the keys in their order, of which nearly every new one is the last. */
function addCount({ keys, values }: Pairs, key: number, count: number): void {
  let place = keys.length
  while (place > 0 && (keys[place - 1] ?? 0) > key) place -= 1
  if (place > 0 && keys[place - 1] === key) values[place - 1] = (values[place - 1] ?? 0) + count
  else {
    keys.splice(place, 0, key)
    values.splice(place, 0, count)
  }
}

/** The same values with one more, as a sketch if they are too many to list. */
function withValue(exact: Exact, newest: number, { hash, tick }: { hash: number; tick: number }): Distinct {
  const index = exact.keys.indexOf(hash)
  if (index >= 0) {
    exact.values[index] = Math.max(tick, exact.values[index] ?? 0)
    return { exact }
  }
  exact.keys.push(hash)
  exact.values.push(tick)
  if (exact.keys.length <= EXACT_MAX) return { exact }
  const kept = since(exact, startsOf(newest).d7)
  if (kept.keys.length <= EXACT_MAX) return { exact: kept }
  const sketch = emptySketch()
  kept.keys.forEach((value, place) => {
    addToSketch(sketch, value, kept.values[place] ?? 0)
  })
  return { sketch }
}

/** The counts at that time, or at the latest visit's if that is later: clocks of several nodes differ. */
export function countsOf(state: VelocityState, atMs: number): VelocityCounts {
  const starts = startsOf(Math.max(state.newest, tickOf(atMs)))
  const visits = none()
  state.visits.keys.forEach((tick, index) => {
    addToWindows(visits, tick, state.visits.values[index] ?? 0, starts)
  })
  const counts: VelocityCounts = {
    visits,
    devices: none(),
    accounts: none(),
    addresses: none(),
    countries: none(),
    cookies: none(),
  }
  COUNTERS_OF[state.subject].forEach((counter, index) => {
    const distinct = state.distinct[index]
    if (distinct) counts[counter] = distinctCounts(distinct, starts)
  })
  const own = OWN_COUNTER[state.subject]
  return own ? withOwn(counts, own) : counts
}

const none = (): WindowCounts => ({ m5: 0, h1: 0, h24: 0, d7: 0 })

function distinctCounts(distinct: Distinct, starts: Starts): WindowCounts {
  if ('sketch' in distinct) return estimatesOf(distinct.sketch, starts)
  const counts = none()
  for (const tick of distinct.exact.values) addToWindows(counts, tick, 1, starts)
  return counts
}

/** Forgets that a value was seen. An estimate has no values to forget. */
export function forgetValue(state: VelocityState, counter: DistinctCounter, hash: number): void {
  const distinct = state.distinct[COUNTERS_OF[state.subject].indexOf(counter)]
  if (!distinct || !('exact' in distinct)) return
  const index = distinct.exact.keys.indexOf(hash)
  if (index < 0) return
  distinct.exact.keys.splice(index, 1)
  distinct.exact.values.splice(index, 1)
}

/** Drops what is in no window any more, and joins the buckets that are only in larger ones. */
function compact(state: VelocityState): void {
  const starts = startsOf(state.newest)
  if ((state.visits.keys[0] ?? starts.m5) < starts.m5) {
    const joined = noPairs()
    state.visits.keys.forEach((tick, index) => {
      if (tick >= starts.d7) addCount(joined, bucketOf(tick, starts), state.visits.values[index] ?? 0)
    })
    state.visits = joined
  }
  state.distinct.forEach((one, index) => {
    if ('exact' in one) state.distinct[index] = { exact: since(one.exact, starts.d7) }
    else if (!pruneSketch(one.sketch, starts.d7)) state.distinct[index] = { exact: noPairs() }
  })
}

/** Those that were seen since. */
function since(exact: Exact, from: number): Exact {
  if (exact.values.every((tick) => tick >= from)) return exact
  const kept = noPairs()
  exact.values.forEach((tick, index) => {
    if (tick < from) return
    kept.keys.push(exact.keys[index] ?? 0)
    kept.values.push(tick)
  })
  return kept
}

/** The format, the newest tick, the buckets from the newest, then each counter's values. Compacts the state. */
export function encodeState(state: VelocityState): Uint8Array {
  compact(state)
  const { newest } = state
  const writer = byteWriter()
  writer.byte(STATE_FORMAT)
  writer.number(newest)
  const { keys, values } = state.visits
  writer.number(keys.length)
  let later = newest
  for (let index = keys.length - 1; index >= 0; index--) {
    const tick = keys[index] ?? later
    writer.number(later - tick)
    writer.number(values[index] ?? 0)
    later = tick
  }
  for (const distinct of state.distinct) writeDistinct(writer, distinct, newest)
  return writer.bytes()
}

/** Twice the number of values, or 1 for a sketch. */
const SKETCH = 1

function writeDistinct(writer: ByteWriter, distinct: Distinct, newest: number): void {
  if ('sketch' in distinct) {
    writer.number(SKETCH)
    writeSketch(writer, distinct.sketch, newest)
    return
  }
  const { keys, values } = distinct.exact
  writer.number(keys.length * 2)
  keys.forEach((hash, index) => {
    writer.hash(hash)
    writer.number(newest - (values[index] ?? newest))
  })
}

/** The state in these bytes; an empty one for those of a later release. */
export function decodeState(subject: VelocitySubject, bytes: Uint8Array): VelocityState {
  const reader = byteReader(bytes)
  const state = emptyState(subject)
  if (reader.byte() !== STATE_FORMAT) return state
  state.newest = reader.number()
  let later = state.newest
  for (let rest = reader.number(); rest > 0; rest--) {
    later -= reader.number()
    state.visits.keys.push(later)
    state.visits.values.push(reader.number())
  }
  state.visits.keys.reverse()
  state.visits.values.reverse()
  state.distinct = COUNTERS_OF[subject].map(() => readDistinct(reader, state.newest))
  return state
}

function readDistinct(reader: ByteReader, newest: number): Distinct {
  const size = reader.number()
  if (size === SKETCH) return { sketch: readSketch(reader, newest) }
  const exact = noPairs()
  for (let rest = size / 2; rest > 0; rest--) {
    const hash = reader.hash()
    exact.keys.push(hash)
    exact.values.push(newest - reader.number())
  }
  return { exact }
}
