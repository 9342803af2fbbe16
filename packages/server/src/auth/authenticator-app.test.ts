import { expect, test } from 'vitest'
import { newTotpSecret, totpStep, totpUri } from './authenticator-app.ts'

/** The secret and the times of RFC 6238, appendix B, for SHA-1; the codes are the last six of its eight digits. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('the code of RFC 6238 at %i seconds is right', (seconds, code) => {
  expect(totpStep(SECRET, code, seconds * 1_000)).toBe(Math.floor(seconds / 30))
})

test('a code of the step before or after is right and names its own step; others are wrong', () => {
  const step = Math.floor(59 / 30)
  for (const shift of [-1, 0, 1]) expect(totpStep(SECRET, '287082', 59_000 + shift * 30_000)).toBe(step)
  for (const shift of [-2, 2]) expect(totpStep(SECRET, '287082', 59_000 + shift * 30_000)).toBeUndefined()
  for (const wrong of ['287083', '28708', '2870820', ' 287082', '', 'abcdef'])
    expect(totpStep(SECRET, wrong, 59_000)).toBeUndefined()
})

test('an app learns issuer, account and secret from the address', () => {
  const secret = newTotpSecret()
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  const url = new URL(totpUri(secret, 'ada@shop.example'))
  expect([url.protocol, url.host]).toEqual(['otpauth:', 'totp'])
  expect(decodeURIComponent(url.pathname)).toBe('/Inkling:ada@shop.example')
  expect(url.searchParams.get('secret')).toBe(secret)
})
