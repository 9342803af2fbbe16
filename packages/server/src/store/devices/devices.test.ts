import { expect, test } from 'vitest'
import { decodeProfile } from './devices.ts'

test('a profile of an earlier release is read, with nothing settled and no window known', () => {
  const cookie = { key: 7, visitorId: 'v', firstAtMs: 1, lastAtMs: 2, visits: 2, addresses: [5] }
  const stored = { deviceId: 'd', family: 'Windows Chrome', values: { machine: 3 }, cookies: [cookie] }
  const profile = decodeProfile(JSON.stringify(stored), new Uint8Array(Float64Array.of(11, 12).buffer))
  expect(profile).toMatchObject({ ...stored, settled: {}, unsettled: {}, keys: [11, 12] })
  expect(profile.cookies[0]?.isPrivate).toBe(undefined)
})
