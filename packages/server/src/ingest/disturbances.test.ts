import { expect, test } from 'vitest'
import type { Proof } from '../visit/proof.ts'
import { createDisturbances } from './disturbances.ts'

function started() {
  const clock = { nowMs: 1_000_000 }
  const { ticketRefused, excuse } = createDisturbances(() => clock.nowMs)
  return {
    ticketRefused,
    /** Whether a visit is excused after that time. */
    after(ms: number, address = '91.0.0.1', body: Proof['body'] = 'bound') {
      clock.nowMs += ms
      return excuse({ address, body })
    },
  }
}

test('a missing ticket says nothing for a while after a start, an overload, or a limit of the same network', () => {
  const { ticketRefused, after } = started()
  expect([after(14_000), after(2_000)]).toEqual([true, false])
  ticketRefused(503, '203.0.113.1')
  expect([after(14_000), after(2_000)]).toEqual([true, false])
  ticketRefused(429, '91.0.0.200')
  expect([after(1_000), after(0, '203.0.113.1'), after(15_000)]).toEqual([true, false, false])
  ticketRefused(403, '91.0.0.1')
  expect(after(0)).toBe(false)
})

test('nobody is excused for a body without a seal by asking for too many tickets', () => {
  const { ticketRefused, after } = started()
  // The loader of the release before is in caches until then.
  expect([after(299_000, '91.0.0.1', 'unbound'), after(2_000, '91.0.0.1', 'unbound')]).toEqual([true, false])
  ticketRefused(429, '91.0.0.1')
  ticketRefused(503, '91.0.0.1')
  expect([after(0), after(0, '91.0.0.1', 'unbound')]).toEqual([true, false])
})
