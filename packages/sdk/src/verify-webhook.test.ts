import { expect, test } from 'vitest'
import { verifyWebhook } from './verify-webhook.ts'

const SECRET = 'whsec_00112233445566778899aabbccddeeff'
const PING = '{"created_at":"2026-09-30T12:34:56Z","event_type":"webhook.ping","schema_version":"2026-06-01"}'
const HEADER = 'sha256=ea2685733d254f7028fb031c4214583b0650de01e6c8c93131236024edd9fdd8'

test('the published vector verifies, as text and as bytes', async () => {
  expect(await verifyWebhook(PING, HEADER, SECRET)).toBe(true)
  expect(await verifyWebhook(new TextEncoder().encode(PING), HEADER, SECRET)).toBe(true)
})

test('bytes that are a window of a larger buffer verify', async () => {
  const padded = new TextEncoder().encode(`xx${PING}xx`)
  expect(await verifyWebhook(padded.subarray(2, -2), HEADER, SECRET)).toBe(true)
})

test('during a rotation either secret will do', async () => {
  expect(await verifyWebhook(PING, HEADER, ['whsec_new', SECRET])).toBe(true)
  expect(await verifyWebhook(PING, HEADER, [SECRET, 'whsec_new'])).toBe(true)
  expect(await verifyWebhook(PING, HEADER, ['whsec_new', 'whsec_newer'])).toBe(false)
})

test.each([
  ['one changed byte', `${PING} `, HEADER, SECRET],
  ['a stripped secret prefix', PING, HEADER, SECRET.replace('whsec_', '')],
  ['no header', PING, undefined, SECRET],
  ['a bare digest', PING, HEADER.replace('sha256=', ''), SECRET],
  ['an uppercase digest', PING, HEADER.toUpperCase(), SECRET],
  ['a short digest', PING, HEADER.slice(0, -1), SECRET],
  ['an empty secret', PING, HEADER, ''],
  ['no secrets', PING, HEADER, []],
])('%s does not verify', async (_, body, header, secrets) => {
  expect(await verifyWebhook(body, header, secrets)).toBe(false)
})
