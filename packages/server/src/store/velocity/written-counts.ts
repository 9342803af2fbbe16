import type { CountedSubject } from './velocity-batch.ts'

/** Of memory, about: of 100,000 ordinary subjects. */
const BYTES_MAX = 32 * 2 ** 20
/** What one takes beside its counts: a name, and the objects around them (190 bytes on Node 26). */
const ENTRY_BYTES = 200

/** The subjects whose counts are stored as they are in memory; the one that was written longest ago is dropped first. */
export interface WrittenCounts {
  get(name: string): CountedSubject | undefined
  /** @param one with its `sizeBytes`, which stay the same until it is taken */
  add(name: string, one: CountedSubject): void
  /** Removes one that is changed. */
  take(name: string): void
  clear(): void
}

export function writtenCounts(bytesMax = BYTES_MAX): WrittenCounts {
  const entries = new Map<string, CountedSubject>()
  // One iterator for all: a new one would pass by the places of all that were removed before.
  let oldest = entries.entries()
  let total = 0

  function take(name: string): void {
    const one = entries.get(name)
    if (!one) return
    total -= ENTRY_BYTES + one.sizeBytes
    entries.delete(name)
  }

  return {
    get: (name) => entries.get(name),
    add(name, one) {
      entries.set(name, one)
      total += ENTRY_BYTES + one.sizeBytes
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
