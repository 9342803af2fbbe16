import { expect, test } from 'vitest'
import { identified, ordinaryReadings, value } from '../../test/identified.ts'
import { lookOf } from './device-look.ts'

test('the memory that Brave makes up is not shown, and leaves no word in its place', () => {
  const hints = { mobile: false, platform: 'Windows', model: '', architecture: 'x86', bitness: '64' }
  const readings = {
    ...ordinaryReadings(),
    client_hints: value({ ...hints, brands: [{ brand: 'Brave', version: '142' }] }),
    hardware: value({ cores: 12, memory_gb: 8, max_touch_points: 0 }),
  }
  expect(lookOf(identified({ readings })).parts.model?.text).toBe('x86 64')
})
