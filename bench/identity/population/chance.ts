import { seededRandom } from '../../src/lib/seeded-random.ts'

/** Seeded chance: the same seed draws the same population and the same life of it. */
export interface Chance {
  /** From 0 to 1. */
  number(): number
  below(limit: number): number
  happens(probability: number): boolean
  pick<Item>(items: readonly Item[]): Item
  /** Items come first in the order of how often they are picked: the n-th with weight 1 / n^exponent. */
  pickByRank<Item>(items: readonly Item[], exponent: number): Item
  pickWeighted<Item>(items: readonly (readonly [item: Item, weight: number])[]): Item
  exponential(mean: number): number
  uuid(): string
}

export function chanceOf(seed: number): Chance {
  const number = seededRandom(seed)
  const ranks = new Map<string, Float64Array>()

  function ranksOf(count: number, exponent: number): Float64Array {
    const name = `${count} ${exponent}`
    const known = ranks.get(name)
    if (known) return known
    const sums = new Float64Array(count)
    let sum = 0
    for (let rank = 0; rank < count; rank++) {
      sum += 1 / (rank + 1) ** exponent
      sums[rank] = sum
    }
    ranks.set(name, sums)
    return sums
  }

  function pick<Item>(items: readonly Item[]): Item {
    const item = items[Math.floor(number() * items.length)]
    if (item === undefined) throw new RangeError('nothing to pick from')
    return item
  }

  return {
    number,
    below: (limit) => Math.floor(number() * limit),
    happens: (probability) => number() < probability,
    pick,
    pickByRank(items, exponent) {
      const sums = ranksOf(items.length, exponent)
      const wanted = number() * (sums.at(-1) ?? 0)
      const item = items[sums.findIndex((sum) => sum >= wanted)]
      if (item === undefined) throw new RangeError('nothing to pick from')
      return item
    },
    pickWeighted(items) {
      let wanted = number() * items.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [item, weight] of items) {
        wanted -= weight
        if (wanted < 0) return item
      }
      return pick(items)[0]
    },
    exponential: (mean) => -mean * Math.log(1 - number()),
    uuid() {
      const hex = Array.from({ length: 4 }, () =>
        Math.floor(number() * 2 ** 32)
          .toString(16)
          .padStart(8, '0'),
      ).join('')
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
    },
  }
}

/** 16 hex digits that stand for what a drawing of this description hashes to. */
export function digest(text: string): string {
  let left = 0x2545f491
  let right = 0x5bd1e995
  for (let index = 0; index < text.length; index++) {
    left = Math.imul(left ^ text.charCodeAt(index), 0x2c1b3c6d)
    left ^= left >>> 15
    right = Math.imul(right ^ left ^ index, 0x297a2d39)
    right ^= right >>> 13
  }
  const hex = (word: number) => (word >>> 0).toString(16).padStart(8, '0')
  return hex(left) + hex(right)
}
