import type { WindowCounts } from '../../visit/velocity.ts'
import type { ByteReader, ByteWriter } from './bytes.ts'
import type { Starts } from './windows.ts'

/*
 * HyperLogLog over sliding windows, after Chabchoub and Hébrail (2010), "Sliding HyperLogLog: Estimating cardinality in
 * a data stream", https://hal.science/hal-00465313: a register keeps the ranks that are the largest since their time,
 * which answers every window. It counts more values than it could list, with a standard error of 1.04 / √512 = 4.6 %.
 */

const REGISTER_BITS = 9
const REGISTERS = 2 ** REGISTER_BITS
/** For this many registers, from Flajolet and others (2007), "HyperLogLog", figure 3. */
const ALPHA = 0.7213 / (1 + 1.079 / REGISTERS)

interface Rank {
  tick: number
  rank: number
}

/** By register, each from the oldest; the ranks fall with time. */
export type Sketch = Rank[][]

export const emptySketch = (): Sketch => Array.from({ length: REGISTERS }, () => [])

/** @param hash 48 bits */
export function addToSketch(sketch: Sketch, hash: number, tick: number): void {
  const ranks = sketch[hash % REGISTERS]
  if (!ranks) return
  const rank = rankOf(Math.floor(hash / REGISTERS))
  if (ranks.some((known) => known.tick >= tick && known.rank >= rank)) return
  const kept = ranks.filter((known) => known.tick > tick || known.rank > rank)
  kept.push({ tick, rank })
  sketch[hash % REGISTERS] = kept.sort((a, b) => a.tick - b.tick)
}

/** Leading zeros in 39 bits, plus one. */
function rankOf(bits: number): number {
  const high = Math.floor(bits / 128)
  return high > 0 ? Math.clz32(high) + 1 : Math.clz32(bits) - 25 + 33
}

/** @returns whether anything is left */
export function pruneSketch(sketch: Sketch, from: number): boolean {
  let isUsed = false
  sketch.forEach((ranks, register) => {
    if (ranks.length === 0) return
    const kept = ranks.filter(({ tick }) => tick >= from)
    sketch[register] = kept
    isUsed ||= kept.length > 0
  })
  return isUsed
}

export function estimatesOf(sketch: Sketch, { m5, h1, h24, d7 }: Starts): WindowCounts {
  const inH1 = estimateFrom(sketch, h1)
  const inH24 = estimateFrom(sketch, h24)
  // A larger window has no less; where an estimate changes its formula, it could seem so.
  const smallest = estimateFrom(sketch, m5)
  const hour = Math.max(smallest, inH1)
  const day = Math.max(hour, inH24)
  return { m5: smallest, h1: hour, h24: day, d7: Math.max(day, estimateFrom(sketch, d7)) }
}

function estimateFrom(sketch: Sketch, from: number): number {
  let sum = 0
  let empty = 0
  for (const ranks of sketch) {
    const largest = ranks.find(({ tick }) => tick >= from)
    sum += largest ? 2 ** -largest.rank : 1
    if (!largest) empty += 1
  }
  const raw = (ALPHA * REGISTERS * REGISTERS) / sum
  const isSmall = raw <= 2.5 * REGISTERS && empty > 0
  return Math.round(isSmall ? REGISTERS * Math.log(REGISTERS / empty) : raw)
}

/** @param newest tick from which the others count back */
export function writeSketch(writer: ByteWriter, sketch: Sketch, newest: number): void {
  for (const ranks of sketch) {
    writer.number(ranks.length)
    for (const { tick, rank } of ranks) {
      writer.number(newest - tick)
      writer.byte(rank)
    }
  }
}

export const readSketch = (reader: ByteReader, newest: number): Sketch =>
  Array.from({ length: REGISTERS }, () =>
    Array.from({ length: reader.number() }, () => ({ tick: newest - reader.number(), rank: reader.byte() })),
  )
