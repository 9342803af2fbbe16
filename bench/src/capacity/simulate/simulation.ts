/** A clock that jumps from one event to the next. */
export interface Simulation {
  nowMs(): number
  /** Runs something after a delay; what is due at the same time runs in the order of the calls. */
  after(delayMs: number, run: () => void): void
  /** Runs all events until a time, which is then the present. */
  runUntil(ms: number): void
}

interface Event {
  atMs: number
  order: number
  run: () => void
}

const isBefore = (a: Event, b: Event): boolean => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order)

export function createSimulation(): Simulation {
  /** A binary heap: each event comes before the two at twice its index and after. */
  const heap: Event[] = []
  let present = 0
  let order = 0

  function push(event: Event): void {
    let index = heap.length
    heap.push(event)
    while (index > 0) {
      const parent = (index - 1) >> 1
      const above = heap[parent]
      if (!above || !isBefore(event, above)) break
      heap[index] = above
      index = parent
    }
    heap[index] = event
  }

  function removeFirst(): void {
    const last = heap.pop()
    if (!last || heap.length === 0) return
    let index = 0
    for (;;) {
      const left = heap[2 * index + 1]
      const right = heap[2 * index + 2]
      const next = right && left && isBefore(right, left) ? right : left
      if (!next || !isBefore(next, last)) break
      heap[index] = next
      index = next === left ? 2 * index + 1 : 2 * index + 2
    }
    heap[index] = last
  }

  return {
    nowMs: () => present,
    after(delayMs, run) {
      order += 1
      push({ atMs: present + delayMs, order, run })
    },
    runUntil(ms) {
      for (let first = heap[0]; first && first.atMs <= ms; first = heap[0]) {
        removeFirst()
        present = first.atMs
        first.run()
      }
      present = ms
    },
  }
}
