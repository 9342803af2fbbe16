import { expect, test } from 'vitest'
import { sign } from './attempt.ts'

test('signs the published ping with the published signature', () => {
  const body =
    '{"created_at":"2026-09-30T12:34:56Z","event_type":"webhook.ping","schema_version":"2026-06-01"}'
  expect(sign(Buffer.from(body), 'whsec_00112233445566778899aabbccddeeff')).toBe(
    'sha256=ea2685733d254f7028fb031c4214583b0650de01e6c8c93131236024edd9fdd8',
  )
})
