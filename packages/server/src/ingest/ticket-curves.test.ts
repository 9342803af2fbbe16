import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createTicketCurves, measuredCurves } from './ticket-curves.ts'

const DAY = 20_000
const secret = randomBytes(32)

/** Every curve that tickets of a day ask for. */
function askedOn(day: number, { pick } = createTicketCurves(secret)): Set<string> {
  const pairs = Array.from({ length: 600 }, () => pick(day).toString('base64url'))
  for (const pair of pairs) expect(pair.slice(0, 4)).not.toBe(pair.slice(4))
  return new Set(pairs.flatMap((pair) => [pair.slice(0, 4), pair.slice(4)]))
}

test('all nodes ask for the same curves, each for 16 days, and every day for one new', () => {
  const today = askedOn(DAY)
  expect(today.size).toBe(16)
  expect(askedOn(DAY)).toEqual(today)
  expect([1, 8, 16].map((days) => askedOn(DAY + days).difference(today).size)).toEqual([1, 8, 16])
  const { pick } = createTicketCurves(randomBytes(32))
  expect(askedOn(DAY, { pick }).intersection(today).size).toBe(0)
})

test('a length belongs to the curve at its place in the ticket; anything else is no answer', () => {
  const ticket = `${'x'.repeat(36)}AAAABBBB${'x'.repeat(52)}`
  expect(measuredCurves(ticket, [1.5, 2])).toEqual([
    { curve: 'AAAA', length: 1.5 },
    { curve: 'BBBB', length: 2 },
  ])
  for (const none of [undefined, null, [], [1], [1, '2'], [1, 2, 3], '12', { 0: 1, 1: 2, length: 2 }])
    expect(measuredCurves(ticket, none)).toEqual([])
})
