import { API_KEY_PATTERN, PUBLIC_KEY_PATTERN, SIGNING_SECRET_PATTERN } from '@inkling/contract'
import { expect, test } from 'vitest'
import { newApiKey, newHexKey, newSigningSecret } from './keys.ts'

test('keys have the forms that clients check', () => {
  expect(newApiKey()).toMatch(API_KEY_PATTERN)
  expect(newHexKey()).toMatch(PUBLIC_KEY_PATTERN)
  expect(newSigningSecret()).toMatch(SIGNING_SECRET_PATTERN)
})

test('keys are different', () => {
  const keys = Array.from({ length: 1_000 }, newApiKey)
  expect(new Set(keys).size).toBe(keys.length)
})
