import { expect, test } from 'vitest'
import { bandOf } from './band-of.ts'

test.each([
  [0, 'trusted'],
  [29, 'trusted'],
  [30, 'suspicious'],
  [59, 'suspicious'],
  [60, 'dangerous'],
  [100, 'dangerous'],
  [101, 'rate_limited'],
  [999, 'rate_limited'],
])('a score of %i is %s', (score, band) => {
  expect(bandOf(score)).toBe(band)
})
