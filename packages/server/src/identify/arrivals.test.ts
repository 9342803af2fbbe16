import { expect, test } from 'vitest'
import { firstArrivals, noteArrival } from './arrivals.ts'

const HOUR_MS = 3_600_000

test('one exit of a VPN teaches no more in an hour than one network does, whatever looks it shows', () => {
  for (const place of [
    { network: 7, exit: undefined },
    { network: undefined, exit: 7 },
  ]) {
    const arrivals = firstArrivals()
    const taught = Array.from({ length: 40 }, (_, visit) =>
      noteArrival(arrivals, { ...place, atMs: visit, look: 1_000 + visit }),
    )
    expect(taught.filter(Boolean)).toHaveLength(30)
    expect(noteArrival(arrivals, { ...place, atMs: HOUR_MS, look: 1 })).toBe(true)
  }
})

test('exits of a VPN make no look a surge, because one person may use many', () => {
  const arrivals = firstArrivals()
  const taught = Array.from({ length: 20 }, (_, exit) =>
    noteArrival(arrivals, { network: undefined, exit, atMs: exit, look: 1 }),
  )
  expect(taught).not.toContain(false)
})
