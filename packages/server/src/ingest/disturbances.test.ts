import { expect, test } from 'vitest'
import { createDisturbances } from './disturbances.ts'

test('a missing ticket says nothing for a while after a start, an overload, or a limit of the same network', () => {
  const clock = { nowMs: 1_000_000 }
  const { refused, isDisturbed } = createDisturbances(() => clock.nowMs)
  const after = (ms: number, address = '91.0.0.1') => {
    clock.nowMs += ms
    return isDisturbed(address)
  }
  expect([after(14_000), after(2_000)]).toEqual([true, false])
  refused(503, '203.0.113.1')
  expect([after(14_000), after(2_000)]).toEqual([true, false])
  refused(429, '91.0.0.200')
  expect([after(1_000), after(0, '203.0.113.1'), after(15_000)]).toEqual([true, false, false])
  refused(403, '91.0.0.1')
  expect(after(0)).toBe(false)
})
