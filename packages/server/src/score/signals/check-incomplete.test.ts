import { expect, test } from 'vitest'
import { describeSignal } from '../../../test/describe-signal.ts'
import { identified, ordinaryReadings, readings } from '../../../test/identified.ts'
import { checkIncomplete } from './check-incomplete.ts'

describeSignal(checkIncomplete, {
  hit: [
    ['an empty body', identified({ readings: readings() })],
    [
      'one that every browser can answer is missing',
      identified({ readings: { ...ordinaryReadings(), screen: { ok: false, why: 'timeout' } } }),
    ],
  ],
  clear: [['an ordinary browser', identified()]],
  unknown: 'always answerable',
})

test('a check without the readings that a privacy mode removes is complete', () => {
  const blocked = { ok: false, why: 'unsupported' } as const
  const strict = {
    ...ordinaryReadings(),
    raster: blocked,
    waveform: blocked,
    webgl: blocked,
    typefaces: blocked,
  }
  expect(checkIncomplete.test(identified({ readings: strict }))).toEqual({ answer: 'clear' })
})
