import type { FoundThings, SeenKind } from '@inkling/contract/account'
import { describe, expect, test } from 'vitest'
import { absentTexts, findsOf } from './found-things.ts'

const NOTHING: FoundThings = { seen: [], list_entries: [], cases: [], findings: [], absent: [] }
const ID = 'eb19a5c0-4ae9-570c-8991-44d12998105e'
const params = { domain: 'shop.example' }
const entity = (type: string, value: string) => ({
  to: '/d/$domain/entity',
  params,
  search: { type, value },
})
const rows = (search: object) => ({ to: '/d/$domain/identifications', params, search })

test.each<[SeenKind, string, object]>([
  [
    'request',
    ID,
    {
      to: '/d/$domain/identifications/$requestId',
      params: { ...params, requestId: ID },
      search: {},
    },
  ],
  ['device', ID, entity('device_id', ID)],
  ['visitor', ID, entity('visitor_id', ID)],
  ['account', 'ada', entity('user_hid', 'ada')],
  ['address', '192.0.2.44', entity('ip', '192.0.2.44')],
  ['local_address', '192.0.2.44', entity('local_ip', '192.0.2.44')],
  ['session', ID, rows({ session_id: ID })],
  ['cookie', ID, rows({ cookie_id: ID })],
  ['network', '192.0.2.0/24', rows({ ip: '192.0.2.0/24' })],
  ['country', 'Germany', rows({ country: 'Germany' })],
])('a found %s leads to where it is shown', (kind, value, target) => {
  const [find] = findsOf('shop.example', { ...NOTHING, seen: [{ kind, value, last_seen_at: null }] })
  expect(find).toMatchObject({ title: value, target })
})

describe('what is absent is said', () => {
  test('of IDs in one sentence', () => {
    expect(
      absentTexts([
        { kind: 'request', value: 'eb19a5' },
        { kind: 'session', value: 'eb19a5' },
        { kind: 'cookie', value: 'eb19a5' },
      ]),
    ).toEqual(['No identification, session or cookie has an ID that begins with eb19a5.'])
    expect(absentTexts([{ kind: 'device', value: ID }])).toEqual([`No device has the ID ${ID}.`])
  })

  test('of anything else each in its own', () => {
    expect(
      absentTexts([
        { kind: 'country', value: 'France' },
        { kind: 'asn', value: '13335' },
        { kind: 'case', value: '12' },
        { kind: 'finding', value: '12' },
      ]),
    ).toEqual([
      'No identification came from France.',
      'AS13335 is on no list. Identifications are not searched by it.',
      'There is no case 12.',
      'There is no pattern with the number 12.',
    ])
  })
})
