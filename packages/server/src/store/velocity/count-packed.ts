import type { DistinctCounter } from '../../visit/velocity.ts'
import type { ByteWriter } from './bytes.ts'
import { writeWindows } from './velocity-column.ts'
import { STATE_FORMAT, type VisitValues } from './velocity-state.ts'
import { bucketOf, type Starts, startsOf } from './windows.ts'

/*
 * Counts a visit in the bytes of a state, without making objects of them. Nearly every state has a few entries, and lies
 * in memory with many thousands of others: as bytes it takes a fifth of the room, gives the garbage collector nothing to
 * follow, and is ready to be written. The bytes are the characters of a string (latin1), which takes less of all than an
 * array of bytes does.
 */

/** A state of at most so many bytes: beyond, lists that are decoded once are faster. */
export const PACKED_MAX = 512
/** What one more entry takes at most. */
const ENTRY_MAX = 24
/** Sizes are written in one byte, after the entries. */
const BUCKETS_MAX = 127
const VALUES_MAX = 63

/** The new state, until it is known that it stays small. */
const made = Buffer.alloc(PACKED_MAX + ENTRY_MAX)
/** The counts of each list in the four windows: visits first. */
const windows = new Uint32Array(4 * 6)
/** Where the old state is read, and the new one written. */
let from = 0
let to = 0

/**
 * Counts a visit and writes the counts of each list right after it.
 * @param bytes empty for a subject without visits
 * @param counters what is counted of the subject, in the order of its lists
 * @returns the new bytes; undefined where a list is too long or the visit is earlier than the last one, and nothing is
 * written
 */
export function countPacked(
  bytes: string,
  counters: readonly DistinctCounter[],
  { values, tick, column }: { values: VisitValues; tick: number; column: ByteWriter },
): string | undefined {
  from = 0
  to = 0
  let newest = tick
  if (bytes !== '') {
    if (bytes.charCodeAt(from++) !== STATE_FORMAT) return undefined
    newest = readNumber(bytes)
    if (newest > tick) return undefined
  }
  const starts = startsOf(tick)
  windows.fill(0)
  made[to++] = STATE_FORMAT
  writeNumber(tick)
  if (!countBuckets(bytes, { newest, tick, starts })) return undefined
  for (let list = 0; list < counters.length; list++) {
    const counter = counters[list]
    const value = counter === undefined ? undefined : values[counter]
    if (!countValues(bytes, { newest, tick, starts, value, list: list + 1 })) return undefined
  }
  for (let list = 0; list <= counters.length; list++) writeList(column, list)
  return made.toString('latin1', 0, to)
}

interface Moment {
  newest: number
  tick: number
  starts: Starts
}

/** The buckets from the newest: drops those that are in no window any more, and joins those that are only in larger ones. */
function countBuckets(bytes: string, { newest, tick, starts }: Moment): boolean {
  const sizeAt = to++
  let size = 0
  let bucket = tick
  let count = 1
  let written = tick
  let read = newest
  addTo(0, tick, 1, starts)
  for (let rest = bytes === '' ? 0 : readNumber(bytes); rest > 0; rest--) {
    read -= readNumber(bytes)
    const visits = readNumber(bytes)
    if (read < starts.d7) continue
    addTo(0, read, visits, starts)
    const joined = bucketOf(read, starts)
    if (joined === bucket) count += visits
    else {
      writeNumber(written - bucket)
      writeNumber(count)
      size += 1
      if (to > PACKED_MAX) return false
      written = bucket
      bucket = joined
      count = visits
    }
  }
  writeNumber(written - bucket)
  writeNumber(count)
  made[sizeAt] = size + 1
  return to <= PACKED_MAX && size < BUCKETS_MAX
}

/** The values of a counter, each with its last time: the visit's is new, or has its time renewed. */
function countValues(
  bytes: string,
  { newest, tick, starts, value, list }: Moment & { value: number | undefined; list: number },
): boolean {
  const sizeAt = to++
  let size = 0
  let isKnown = false
  const twice = bytes === '' ? 0 : readNumber(bytes)
  if (twice % 2 === 1) return false
  for (let rest = twice / 2; rest > 0; rest--) {
    const hash = readHash(bytes)
    const age = readNumber(bytes)
    const isVisit = hash === value
    const seen = isVisit ? tick : newest - age
    if (isVisit) isKnown = true
    if (seen < starts.d7) continue
    writeValue(hash, tick - seen)
    addTo(list, seen, 1, starts)
    size += 1
    if (to > PACKED_MAX) return false
  }
  if (value !== undefined && !isKnown) {
    writeValue(value, 0)
    addTo(list, tick, 1, starts)
    size += 1
  }
  made[sizeAt] = size * 2
  return to <= PACKED_MAX && size <= VALUES_MAX
}

function addTo(list: number, tick: number, count: number, { m5, h1, h24, d7 }: Starts): void {
  const at = list * 4
  if (tick >= m5) windows[at] = (windows[at] ?? 0) + count
  if (tick >= h1) windows[at + 1] = (windows[at + 1] ?? 0) + count
  if (tick >= h24) windows[at + 2] = (windows[at + 2] ?? 0) + count
  if (tick >= d7) windows[at + 3] = (windows[at + 3] ?? 0) + count
}

function writeList(column: ByteWriter, list: number): void {
  const at = list * 4
  writeWindows(column, windows[at] ?? 0, windows[at + 1] ?? 0, windows[at + 2] ?? 0, windows[at + 3] ?? 0)
}

function readNumber(bytes: string): number {
  let next = bytes.charCodeAt(from++)
  if (next < 128) return next
  let value = next & 127
  let factor = 128
  while (next > 127) {
    next = bytes.charCodeAt(from++)
    value += (next & 127) * factor
    factor *= 128
  }
  return value
}

function writeNumber(value: number): void {
  let rest = value
  for (; rest > 0x7fffffff; rest = Math.floor(rest / 128)) made[to++] = (rest % 128) + 128
  for (; rest > 127; rest >>= 7) made[to++] = (rest & 127) | 128
  made[to++] = rest
}

function readHash(bytes: string): number {
  const high = (bytes.charCodeAt(from) << 8) | bytes.charCodeAt(from + 1)
  const low =
    (bytes.charCodeAt(from + 2) << 24) |
    (bytes.charCodeAt(from + 3) << 16) |
    (bytes.charCodeAt(from + 4) << 8) |
    bytes.charCodeAt(from + 5)
  from += 6
  return high * 2 ** 32 + (low >>> 0)
}

function writeValue(hash: number, age: number): void {
  const high = Math.floor(hash / 2 ** 32)
  const low = hash >>> 0
  made[to++] = high >>> 8
  made[to++] = high
  made[to++] = low >>> 24
  made[to++] = low >>> 16
  made[to++] = low >>> 8
  made[to++] = low
  writeNumber(age)
}
