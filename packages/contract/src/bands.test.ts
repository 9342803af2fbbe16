import { expect, test } from 'vitest'
import { BAND_NAMES, BANDS, bandOf } from './bands.ts'

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

test('the bands cover every score, in order and without a gap', () => {
  for (const band of BAND_NAMES)
    expect([bandOf(BANDS[band].from), bandOf(BANDS[band].to)]).toEqual([band, band])
  const bounds = BAND_NAMES.map((band) => BANDS[band])
  for (const [index, { from }] of bounds.entries()) expect(from).toBe((bounds[index - 1]?.to ?? -1) + 1)
})
