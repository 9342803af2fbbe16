import { describe, expect, test } from 'vitest'
import { offsetOfZone, offsetsOfZones } from './time-zone-offsets.ts'

const JANUARY = Date.UTC(2026, 0, 15, 12)
const JULY = Date.UTC(2026, 6, 15, 12)

describe('offsetOfZone', () => {
  test.each([
    ['UTC', 0, 0],
    ['Europe/London', 0, 60],
    ['Europe/Berlin', 60, 120],
    ['America/New_York', -300, -240],
    ['America/St_Johns', -210, -150],
    ['Asia/Kolkata', 330, 330],
    ['Asia/Kathmandu', 345, 345],
    ['Australia/Lord_Howe', 660, 630],
    ['Pacific/Kiritimati', 840, 840],
    ['Pacific/Marquesas', -570, -570],
  ])('%s is %i minutes east in January and %i in July', (zone, january, july) => {
    expect(offsetOfZone(zone, JANUARY)).toBe(january)
    expect(offsetOfZone(zone, JULY)).toBe(july)
  })

  test('old and new names of a zone agree', () => {
    expect(offsetOfZone('Asia/Calcutta', JULY)).toBe(offsetOfZone('Asia/Kolkata', JULY))
    expect(offsetOfZone('Europe/Kiev', JULY)).toBe(offsetOfZone('Europe/Kyiv', JULY))
  })

  test('offsets change at the exact minute, in both directions', () => {
    const change = Date.UTC(2026, 2, 29, 1)
    expect(offsetOfZone('Europe/Berlin', change - 1)).toBe(60)
    expect(offsetOfZone('Europe/Berlin', change)).toBe(120)
    expect(offsetOfZone('Europe/Berlin', change - 1)).toBe(60)
    // Lord Howe Island changes by half an hour, from UTC+10:30 to UTC+11 at 02:00 local time, which is 15:30 UTC.
    const lordHowe = Date.UTC(2026, 9, 3, 15, 30)
    expect(offsetOfZone('Australia/Lord_Howe', lordHowe - 1)).toBe(630)
    expect(offsetOfZone('Australia/Lord_Howe', lordHowe)).toBe(660)
  })

  test.each(['', 'Mars/Olympus', 'Europe/Berlin; DROP', 'x'.repeat(10_000)])(
    '%.20j is no zone, the first time and the second',
    (zone) => {
      expect(offsetOfZone(zone, JULY)).toBeUndefined()
      expect(offsetOfZone(zone, JULY)).toBeUndefined()
    },
  )

  test('a time out of range has no offset', () => {
    for (const atMs of [Number.NaN, Number.POSITIVE_INFINITY, 1e300]) {
      expect(offsetOfZone('Europe/Berlin', atMs)).toBeUndefined()
    }
  })
})

describe('offsetsOfZones', () => {
  test('gives each offset once, ascending, and skips zones that do not exist', () => {
    const zones = ['Asia/Kolkata', 'America/New_York', 'No/Where', 'America/Detroit', 'UTC']
    expect(offsetsOfZones(zones, JULY)).toEqual([-240, 0, 330])
  })

  test('without zones there are no offsets', () => {
    expect(offsetsOfZones([], JULY)).toEqual([])
  })
})
