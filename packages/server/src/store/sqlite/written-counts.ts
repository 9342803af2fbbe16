import type { Counted } from '../velocity/velocity-batch.ts'

/** Of memory, about: of 100,000 ordinary subjects. */
const BYTES_MAX = 32 * 2 ** 20
/** What one takes beside its counts: a key, a name, and the objects around them. */
const ENTRY_BYTES = 250

/** The subjects whose counts are stored as they are in memory; the one that was written longest ago is dropped first. */
export interface WrittenCounts {
  get(name: string): Counted | undefined
  /** @param bytes that the counts take */
  add(name: string, one: Counted, bytes: number): void
  /** Removes one that is changed. */
  take(name: string): void
  clear(): void
}

export function writtenCounts(bytesMax = BYTES_MAX): WrittenCounts {
  const entries = new Map<string, { one: Counted; bytes: number }>()
  // One iterator for all: a new one would pass by the places of all that were removed before.
  let oldest = entries.entries()
  let total = 0

  function take(name: string): void {
    total -= entries.get(name)?.bytes ?? 0
    entries.delete(name)
  }

  return {
    get: (name) => entries.get(name)?.one,
    add(name, one, bytes) {
      const size = ENTRY_BYTES + bytes
      entries.set(name, { one, bytes: size })
      total += size
      while (total > bytesMax) {
        const { value, done } = oldest.next()
        if (done) break
        take(value[0])
      }
    },
    take,
    clear() {
      entries.clear()
      oldest = entries.entries()
      total = 0
    },
  }
}
