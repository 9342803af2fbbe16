import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { newSigningSecret } from '../auth/keys.ts'
import { sign } from './attempt.ts'
import { standardHeaders } from './standard-headers.ts'

test('signs the published ping with the published signature', () => {
  const body =
    '{"created_at":"2026-09-30T12:34:56Z","event_type":"webhook.ping","schema_version":"2026-06-01"}'
  expect(sign(Buffer.from(body), 'whsec_00112233445566778899aabbccddeeff')).toBe(
    'sha256=ea2685733d254f7028fb031c4214583b0650de01e6c8c93131236024edd9fdd8',
  )
})

test('the library of Standard Webhooks verifies with the printed secret, and with either one after a rotation', () => {
  const [before, after] = [newSigningSecret(), newSigningSecret()]
  const body = '{"event_type":"webhook.ping","note":"a & b ≠ c"}'
  const message = { id: 'evt_1', sentAtMs: Date.now(), body: Buffer.from(body) }
  const headers = standardHeaders(message, [after, before])
  for (const secret of [before, after])
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
  expect(() => new Webhook(newSigningSecret()).verify(body, headers)).toThrow()
  expect(() => new Webhook(after).verify(body, { ...headers, 'webhook-id': 'evt_2' })).toThrow()
  const old = standardHeaders({ ...message, sentAtMs: Date.now() - 3_600_000 }, [after])
  expect(() => new Webhook(after).verify(body, old)).toThrow()
})
