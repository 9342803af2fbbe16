/** Repeatable randomness: the same seed makes the same requests. */
export interface RandomSource {
  /** An integer from 0 up to, but not including, `below`. */
  whole(below: number): number
  chance(probability: number): boolean
  pick<Item>(items: readonly [Item, ...Item[]]): Item
  bytes(length: number): Buffer
}

/** Mulberry32, a small and fast generator (https://gist.github.com/tommyettinger/46a874533244883189143505d203312c). */
export function randomSource(seed: number): RandomSource {
  let state = seed >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const whole = (below: number) => Math.floor(next() * below)
  return {
    whole,
    chance: (probability) => next() < probability,
    pick: (items) => items[whole(items.length)] ?? items[0],
    bytes: (length) => Buffer.from(Array.from({ length }, () => whole(256))),
  }
}
