import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { issueTurnCredential, requestOfUsername } from './turn-credential.ts'

const SECRET = Buffer.from('north')
const REQUEST = '0b7c1d1e-5b3f-4a55-9d6c-0a2b8f4f1c11'
const NOW_MS = 1_800_000_000_500

test('names the request and its end, under a password that only the secret gives', () => {
  const { username, credential } = issueTurnCredential(SECRET, REQUEST, NOW_MS)
  expect(username).toBe(`1800000060:${REQUEST}`)
  expect(credential).toBe(createHmac('sha1', 'north').update(username).digest('base64'))
})

test('names its request until it expires', () => {
  const { username } = issueTurnCredential(SECRET, REQUEST, NOW_MS)
  expect(requestOfUsername(username, 1_800_000_059_999)).toBe(REQUEST)
  expect(requestOfUsername(username, 1_800_000_060_000)).toBeUndefined()
})

test.each([
  '',
  ':',
  `:${REQUEST}`,
  '1800000060:',
  `-1:${REQUEST}`,
  `1e12:${REQUEST}`,
  `1800000060:${REQUEST}\n`,
])('names no request: %j', (username) => expect(requestOfUsername(username, 0)).toBeUndefined())
