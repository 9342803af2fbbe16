import { expect, test } from 'vitest'
import { webhookMoment } from './webhook-moment.ts'

const CLOCKS = { receivedAtMs: 10_080, afterMs: 30, calledAtMs: 10_000, sentMs: 20, nowMs: 150 }

test('on one machine the two clocks are one', () => {
  expect(webhookMoment(CLOCKS)).toBe(80)
})

test.each([-3_600_000, 3_600_000])('a server clock that is %i ms off does not move it', (offMs) => {
  expect(webhookMoment({ ...CLOCKS, receivedAtMs: CLOCKS.receivedAtMs + offMs })).toBe(50)
})

test('it never lies in the future or before the snapshot was sent', () => {
  expect(webhookMoment({ ...CLOCKS, receivedAtMs: 0, afterMs: 900 })).toBe(150)
  expect(webhookMoment({ ...CLOCKS, receivedAtMs: 0, afterMs: -5 })).toBe(20)
})
