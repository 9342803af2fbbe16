import { expect, test } from 'vitest'
import { webhookTime } from './identify-visit.ts'

const CLOCKS = { receivedAtMs: 10_080, afterMs: 30, calledAtMs: 10_000, sentMs: 20, nowMs: 150 }

test('on one machine both clocks are the same', () => {
  expect(webhookTime(CLOCKS)).toBe(80)
})

test.each([-3_600_000, 3_600_000])('a server clock that is off by %i ms does not change it', (offMs) => {
  expect(webhookTime({ ...CLOCKS, receivedAtMs: CLOCKS.receivedAtMs + offMs })).toBe(50)
})

test('it is never in the future or before the snapshot was sent', () => {
  expect(webhookTime({ ...CLOCKS, receivedAtMs: 0, afterMs: 900 })).toBe(150)
  expect(webhookTime({ ...CLOCKS, receivedAtMs: 0, afterMs: -5 })).toBe(20)
})
