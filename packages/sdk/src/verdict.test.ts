import { type HistoryRow, NIL_UUID, NO_FLAGS, TEST_SAMPLE } from '@inkling/contract'
import { expect, test } from 'vitest'
import { scoreDetails, verdictOfEvent, verdictOfRow } from './verdict.ts'

const ID = '0191e7a0-1111-4222-8333-444455556666'

const event = (given: object) => ({
  ...TEST_SAMPLE,
  data: { ...TEST_SAMPLE.data, detection_flags: NO_FLAGS, ...given },
})
const row = (given: object) => ({ request_id: ID, score: 0, created_at: '', ...given }) as HistoryRow

test.each([101, 999, 5_000])('a score of %d is rate limited, as a row and as an event', (score) => {
  expect(verdictOfRow(row({ score }))).toMatchObject({ status: 'rate_limited', requestId: ID })
  expect(verdictOfEvent(event({ risk_score: score }))).toMatchObject({ status: 'rate_limited' })
})

test('the nil device and visitor are undefined', () => {
  const nil = { device_id: NIL_UUID, visitor_id: NIL_UUID }
  for (const verdict of [verdictOfRow(row(nil)), verdictOfEvent(event(nil))])
    expect(verdict).toMatchObject({ deviceId: undefined, visitorId: undefined })
})

test('entries without points are not signals, corrections are', () => {
  const score_details = JSON.stringify([
    { Value: 30, Description: 'Stun is not checked' },
    { Value: -30, Description: 'Stun passed (late arrival, corrected)' },
    { Value: 0, Description: 'Check Incomplete' },
  ])
  expect(verdictOfRow(row({ score_details }))).toMatchObject({
    signals: [
      { name: 'stun_not_checked', weight: 30 },
      { name: 'stun_late_correction', weight: -30 },
    ],
  })
})

test('a time that cannot be read is unknown, not now', () => {
  expect(verdictOfRow(row({ created_at: 'soon' }))).toMatchObject({ observedAtMs: undefined })
})

test('entries are parsed from the text; unknown shapes are skipped', () => {
  const text = '[{"Value":60,"Description":"Browser Automation"},{"Value":"1"},null,7]'
  expect(scoreDetails(text)).toEqual([{ Value: 60, Description: 'Browser Automation' }])
})

test.each([undefined, '', 'null', '{}', '[', '7'])('%j has no entries', (text) => {
  expect(scoreDetails(text)).toEqual([])
})
