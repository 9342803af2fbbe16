import { expect, test } from 'vitest'
import { describeSignal } from '../../../test/describe-signal.ts'
import { identified, missing, ordinaryReadings, value } from '../../../test/identified.ts'
import { timezoneMismatch } from './timezone-mismatch.ts'

const clockIn = (name: string, offset_minutes: number) =>
  identified({ readings: { ...ordinaryReadings(), timezone: value({ name, offset_minutes }) } })
const addressIn = (timeZones: string[], country: string) =>
  identified({ ip: { ...identified().ip, timeZones, country } })

describeSignal(timezoneMismatch, {
  hit: [
    ['Tokyo clock on a German address', clockIn('Asia/Tokyo', 540)],
    ['an unknown zone counts by its offset', clockIn('Mars/Olympus', 540)],
  ],
  clear: [
    ['same zone', identified()],
    ['London clock on a German address: one hour, people live near borders', clockIn('Europe/London', 0)],
    ['another name of the same time', clockIn('Africa/Lagos', 60)],
    [
      'any zone of a country with many will do',
      addressIn(['Europe/Kaliningrad', 'Asia/Kamchatka'], 'Russia'),
    ],
  ],
  unknown: [
    ['the browser reports no zone', identified({ readings: { ...ordinaryReadings(), timezone: missing } })],
    ['the address has no country', addressIn([], '')],
  ],
})

test('offsets on both sides of the date line are close', () => {
  const samoa = identified({
    ip: { ...identified().ip, timeZones: ['Pacific/Apia'], country: 'Samoa' },
    readings: { ...ordinaryReadings(), timezone: value({ name: 'Pacific/Midway', offset_minutes: -660 }) },
  })
  expect(timezoneMismatch.test(samoa)).toEqual({ answer: 'clear' })
})
