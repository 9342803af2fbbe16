import { NO_IPV4 } from '@inkling/contract'
import { expect, test } from 'vitest'
import { ROW } from '../../../../../contract/src/openapi/example-visit.ts'
import { claimsOf } from './claims.ts'

const row = { ...ROW, os: 'Windows', browser: 'Chrome', scanner_web_rtc_ip: NO_IPV4 }
const entry = (name: string, evidence: Record<string, unknown>) => ({
  name,
  title: name,
  description: name,
  weight: 60,
  value: 60,
  evidence,
})

test('what no signal could check is never called true', () => {
  const explanation = { entries: [], clear: ['client_mismatch'] }
  const claims = claimsOf({ row, explanation, snapshot: null })
  expect(claims.map(({ topic, state }) => [topic, state])).toEqual([
    ['Browser', 'agrees'],
    ['System', 'unchecked'],
    ['Time zone', 'unchecked'],
    ['Address', 'unchecked'],
  ])
  expect(claims[1]?.seen).toBe('not seen')
})

test('a contradiction shows both sides', () => {
  const explanation = { entries: [entry('os_mismatch', { network_os: 'Linux' })], clear: [] }
  const snapshot = { body: { readings: { timezone: { ok: true, value: { name: 'Asia/Tokyo' } } } } }
  const [, system, zone] = claimsOf({ row, explanation, snapshot })
  expect(system).toMatchObject({ claimed: 'Windows', seen: 'packets of Linux', state: 'contradicts' })
  expect(zone).toMatchObject({ claimed: 'Asia/Tokyo' })
})
