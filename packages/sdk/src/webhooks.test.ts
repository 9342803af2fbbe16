import { createHmac } from 'node:crypto'
import { TEST_SAMPLE } from '@inkling/contract'
import { describe, expect, test } from 'vitest'
import { verify } from './webhooks.ts'

const SECRET = 'whsec_00112233445566778899aabbccddeeff'
const PING = '{"created_at":"2026-09-30T12:34:56Z","event_type":"webhook.ping","schema_version":"2026-06-01"}'
const HEADER = 'sha256=ea2685733d254f7028fb031c4214583b0650de01e6c8c93131236024edd9fdd8'

const sign = (body: string | Uint8Array) =>
  `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`
const deliver = (event: unknown) => {
  const body = JSON.stringify(event)
  return verify(body, sign(body), SECRET)
}

describe('the published vector', () => {
  const bytes = new TextEncoder().encode(PING)
  const padded = new TextEncoder().encode(`xx${PING}xx`)
  test.each([
    ['text', PING],
    ['bytes', bytes],
    ['a Buffer of the pool', Buffer.from(PING)],
    ['an ArrayBuffer', bytes.buffer],
    ['a window of a larger buffer', padded.subarray(2, -2)],
  ])('verifies as %s', async (_, body) => {
    expect(await verify(body, HEADER, SECRET)).toEqual({ kind: 'webhook.ping', event: JSON.parse(PING) })
  })
})

test('during a rotation either secret verifies', async () => {
  await expect(verify(PING, HEADER, ['whsec_new', SECRET])).resolves.toBeDefined()
  await expect(verify(PING, HEADER, [SECRET, 'whsec_new'])).resolves.toBeDefined()
  await expect(verify(PING, HEADER, ['whsec_new', 'whsec_newer'])).rejects.toMatchObject({
    code: 'invalid_signature',
  })
})

test.each([
  ['one changed byte', `${PING} `, HEADER, SECRET],
  ['a stripped secret prefix', PING, HEADER, SECRET.replace('whsec_', '')],
  ['no header', PING, undefined, SECRET],
  ['a null header', PING, null, SECRET],
  ['a header sent twice', PING, [HEADER, HEADER], SECRET],
  ['a bare digest', PING, HEADER.replace('sha256=', ''), SECRET],
  ['an uppercase digest', PING, HEADER.toUpperCase(), SECRET],
  ['a short digest', PING, HEADER.slice(0, -1), SECRET],
  ['a digest and more', PING, `${HEADER}00`, SECRET],
])('%s is an invalid signature', async (_, body, header, secret) => {
  await expect(verify(body, header, secret)).rejects.toMatchObject({ code: 'invalid_signature' })
})

test('an empty secret never verifies a signature with an empty key', async () => {
  const header = `sha256=${createHmac('sha256', '').update(PING).digest('hex')}`
  await expect(verify(PING, header, '')).rejects.toMatchObject({ code: 'invalid_argument' })
  await expect(verify(PING, header, [])).rejects.toMatchObject({ code: 'invalid_argument' })
  await expect(verify(PING, header, ['', SECRET])).rejects.toMatchObject({ code: 'invalid_signature' })
})

test('missing flags of a Test delivery are false; the rest is kept', async () => {
  const { kind, event } = await deliver(TEST_SAMPLE)
  const data = { ...TEST_SAMPLE.data }
  expect([kind, event]).toEqual([
    'identification.scored',
    {
      ...TEST_SAMPLE,
      data: {
        ...data,
        detection_flags: { ...data.detection_flags, browser_automation: false, search_bot: false },
      },
    },
  ])
})

test('fields, flags, signals and a schema version of a later release are kept', async () => {
  const later = {
    ...TEST_SAMPLE,
    schema_version: '2031-01-01',
    event_id: 'evt_1',
    data: {
      ...TEST_SAMPLE.data,
      detection_flags: { ...TEST_SAMPLE.data.detection_flags, brand_new: true },
      signals: [{ name: 'brand_new', weight: -7 }],
      planet: 'Mars',
    },
  }
  expect((await deliver(later)).event).toMatchObject(later)
})

test('an event type of a later release is returned unchanged', async () => {
  const later = { event_type: 'device.seen', data: [1] }
  expect(await deliver(later)).toEqual({ kind: 'other', event: later })
})

test.each([
  ['no JSON', 'hello'],
  ['null', 'null'],
  ['a list', '[]'],
  ['no event type', '{}'],
  ['an event without data', '{"event_type":"identification.scored"}'],
  [
    'an event without a score',
    '{"event_type":"identification.scored","data":{"request_id":"0f8fad5b-d9cb-469f-a165-70867728950e"}}',
  ],
])('a signed body that is %s is a malformed event', async (_, body) => {
  await expect(verify(body, sign(body), SECRET)).rejects.toMatchObject({ code: 'malformed_event' })
})

test('signed bytes that are not UTF-8 are a malformed event', async () => {
  const body = Uint8Array.of(0x22, 0xff, 0x22)
  await expect(verify(body, sign(body), SECRET)).rejects.toMatchObject({ code: 'malformed_event' })
})

test('a changed pattern has its own kind, and fields of later releases are kept', async () => {
  const data = {
    finding_id: 4,
    pattern: 'many_accounts_on_device',
    change: 'raised',
    grade: 'dangerous',
    later: 1,
  }
  const event = { event_type: 'pattern.changed', schema_version: '2026-06-01', event_id: 'e', data }
  expect(await deliver(event)).toEqual({ kind: 'pattern.changed', event })
})

test('a changed decision has its own kind', async () => {
  const data = { decision_id: 'd', request_id: 'r', answered_action: 'allow', action: 'deny' }
  const event = { event_type: 'decision.changed', schema_version: '2026-06-01', event_id: 'e', data }
  expect(await deliver(event)).toEqual({ kind: 'decision.changed', event })
  await expect(deliver({ ...event, data: { action: 'deny' } })).rejects.toMatchObject({
    code: 'malformed_event',
  })
})

test.each([
  ['device.merged', { device_id: 'a', merged_device_id: 'b' }],
  ['device.split', { device_id: 'a', split_device_id: 'b' }],
])('%s has its own kind, and needs both IDs', async (event_type, data) => {
  const event = { event_type, schema_version: '2026-06-01', event_id: 'e', data }
  expect(await deliver(event)).toEqual({ kind: event_type, event })
  await expect(deliver({ ...event, data: { device_id: 'a' } })).rejects.toMatchObject({
    code: 'malformed_event',
  })
})

test('a changed pattern without a required field is a malformed event', async () => {
  for (const data of [undefined, null, {}, { pattern: 'x' }, { change: 'new' }])
    await expect(deliver({ event_type: 'pattern.changed', data })).rejects.toMatchObject({
      code: 'malformed_event',
    })
})

describe('the headers of Standard Webhooks', () => {
  const standard = (body: string, { secret = SECRET, at = Date.now(), id = 'evt_1' } = {}) => {
    const timestamp = String(Math.floor(at / 1_000))
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
    return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${mac}` }
  }
  const other = 'whsec_ffeeddccbbaa99887766554433221100'

  test('verify as an object and as Headers, with any of several signatures', async () => {
    const headers = standard(PING)
    const both = {
      ...headers,
      'webhook-signature': `${standard(PING, { secret: other })['webhook-signature']} v2,x ${headers['webhook-signature']}`,
    }
    for (const given of [headers, new Headers(headers), both])
      expect((await verify(PING, given, SECRET)).kind).toBe('webhook.ping')
  })

  test.each([
    ['a changed ID', PING, { ...standard(PING), 'webhook-id': 'evt_2' }],
    ['a changed body', `${PING} `, standard(PING)],
    ['another secret', PING, standard(PING, { secret: other })],
    ['an old delivery', PING, standard(PING, { at: Date.now() - 301_000 })],
    ['a delivery of the future', PING, standard(PING, { at: Date.now() + 360_000 })],
    ['no time', PING, { ...standard(PING), 'webhook-timestamp': undefined }],
    // Their signature covers no time, so an old delivery without the newer headers would pass.
    ['only the header of the contract', PING, { 'x-svc-signature': HEADER }],
    ['no Base64', PING, { ...standard(PING), 'webhook-signature': 'v1,%%%' }],
  ])('%s is an invalid signature', async (_, body, headers) => {
    await expect(verify(body, headers, SECRET)).rejects.toMatchObject({ code: 'invalid_signature' })
  })
})
