import type { WindowCounts } from '../../visit/velocity.ts'
import type { ByteReader, ByteWriter } from './bytes.ts'
import type { Starts } from './windows.ts'

/*
 * HyperLogLog over sliding windows, after Chabchoub and Hébrail (2010), "Sliding HyperLogLog: Estimating cardinality in
 * a data stream", https://hal.science/hal-00465313: a register keeps the ranks that are the largest since their time,
 * which answers every window. It counts more values than it could list, with a standard error of 1.04 / √256 = 6.5 %.
 */

const REGISTERS = 256
/** For this many registers, from Flajolet and others (2007), "HyperLogLog", figure 3. */
const ALPHA = 0.7213 / (1 + 1.079 / REGISTERS)

/** A time and a rank in one number: objects would take most of the time that a busy address costs. */
const RANKS = 64
const tickIn = (entry: number): number => Math.floor(entry / RANKS)
/** By subtraction: entries are larger than an integer of the machine, and the rest of a division of those is slow. */
const rankIn = (entry: number): number => entry - tickIn(entry) * RANKS

/** By register, each from the oldest; the ranks fall with time. Registers are replaced, never changed. */
export type Sketch = (readonly number[])[]

const EMPTY: readonly number[] = []

export const emptySketch = (): Sketch => new Array<readonly number[]>(REGISTERS).fill(EMPTY)

/** @param hash 48 bits */
export function addToSketch(sketch: Sketch, hash: number, tick: number): void {
  const entries = sketch[hash % REGISTERS]
  if (!entries) return
  const rank = rankOf(Math.floor(hash / REGISTERS))
  if (entries.some((known) => tickIn(known) >= tick && rankIn(known) >= rank)) return
  const kept = entries.filter((known) => tickIn(known) > tick || rankIn(known) > rank)
  kept.push(tick * RANKS + rank)
  sketch[hash % REGISTERS] = kept.sort((a, b) => a - b)
}

/** Leading zeros in 40 bits, plus one. */
function rankOf(bits: number): number {
  const high = Math.floor(bits / 256)
  return high > 0 ? Math.clz32(high) + 1 : Math.clz32(bits) - 24 + 33
}

/** @returns whether anything is left */
export function pruneSketch(sketch: Sketch, from: number): boolean {
  let isUsed = false
  sketch.forEach((entries, register) => {
    const [oldest] = entries
    if (oldest === undefined) return
    const kept = tickIn(oldest) >= from ? entries : entries.filter((entry) => tickIn(entry) >= from)
    sketch[register] = kept
    isUsed ||= kept.length > 0
  })
  return isUsed
}

export function estimatesOf(sketch: Sketch, { m5, h1, h24, d7 }: Starts): WindowCounts {
  // A larger window has no less; where an estimate changes its formula, it could seem so.
  const smallest = estimateFrom(sketch, m5)
  if (isAllSince(sketch, m5)) return { m5: smallest, h1: smallest, h24: smallest, d7: smallest }
  const hour = Math.max(smallest, estimateFrom(sketch, h1))
  const day = Math.max(hour, estimateFrom(sketch, h24))
  return { m5: smallest, h1: hour, h24: day, d7: Math.max(day, estimateFrom(sketch, d7)) }
}

/** Whether every window sees the same. */
const isAllSince = (sketch: Sketch, from: number): boolean =>
  sketch.every(([oldest]) => oldest === undefined || tickIn(oldest) >= from)

/** 2 to the power of minus each rank. */
const POWERS = Array.from({ length: RANKS }, (_, rank) => 2 ** -rank)

function estimateFrom(sketch: Sketch, from: number): number {
  const first = from * RANKS
  let sum = 0
  let empty = 0
  for (const entries of sketch) {
    let index = 0
    while (index < entries.length && (entries[index] ?? 0) < first) index += 1
    const largest = entries[index]
    if (largest === undefined) empty += 1
    sum += largest === undefined ? 1 : (POWERS[rankIn(largest)] ?? 0)
  }
  const raw = (ALPHA * REGISTERS * REGISTERS) / sum
  const isSmall = raw <= 2.5 * REGISTERS && empty > 0
  return Math.round(isSmall ? REGISTERS * Math.log(REGISTERS / empty) : raw)
}

/** @param newest tick from which the others count back */
export function writeSketch(writer: ByteWriter, sketch: Sketch, newest: number): void {
  for (const entries of sketch) {
    writer.number(entries.length)
    for (const entry of entries) {
      writer.number(newest - tickIn(entry))
      writer.byte(rankIn(entry))
    }
  }
}

export function readSketch(reader: ByteReader, newest: number): Sketch {
  const sketch = emptySketch()
  for (let register = 0; register < REGISTERS; register++) {
    let rest = reader.number()
    if (rest === 0) continue
    const entries: number[] = []
    for (; rest > 0; rest--) {
      const tick = newest - reader.number()
      entries.push(tick * RANKS + reader.byte())
    }
    sketch[register] = entries
  }
  return sketch
}
