import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { webhooks } from '@inkling/sdk'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Domain } from '../../src/auth/directory.ts'
import { hashKey, matchesSecretKey } from '../../src/auth/keys.ts'
import { hashPassword, NO_USER_HASH, verifyPassword } from '../../src/auth/users.ts'
import { issueTurnNonce, turnNonceIssuedAt } from '../../src/observe/turn/turn-credentials.ts'
import { turnSource } from '../../src/observe/turn/turn-source.ts'

/**
 * The duration of a comparison must not show how close a guess was. These tests do not measure time: they check that
 * `timingSafeEqual` compares, and that it gets values of equal length.
 */

const compare = vi.spyOn(crypto, 'timingSafeEqual')
beforeAll(() => syncBuiltinESMExports())
beforeEach(() => void compare.mockClear())
afterAll(() => {
  compare.mockRestore()
  syncBuiltinESMExports()
})

const lengths = () => compare.mock.calls.map(([left, right]) => [left.byteLength, right.byteLength])

const KEY = '0123456789abcdef0123456789abcdef'

test.each(['', 'x', KEY.replace(/f$/, 'e'), KEY.replace(/^0/, '1'), KEY.repeat(100)])(
  'a wrong Secret Key is compared as a hash, however long and however near: %s',
  (guess) => {
    expect(matchesSecretKey({ secretKeyHash: hashKey(KEY) } as unknown as Domain, guess)).toBe(false)
    expect(lengths()).toEqual([[32, 32]])
  },
)

test('a password is compared as a hash, which takes as long for an unknown user', async () => {
  const stored = await hashPassword('correct horse battery')
  for (const hash of [stored, NO_USER_HASH]) expect(await verifyPassword('correct horse', hash)).toBe(false)
  expect(lengths()).toEqual([
    [32, 32],
    [32, 32],
  ])
  const cost = (hash: string) => hash.split('$').slice(0, 4)
  expect(cost(NO_USER_HASH)).toEqual(cost(stored))
})

test('the challenge of the network check is compared as a whole', () => {
  const source = turnSource('udp', '203.0.113.7', 5_000)
  if (!source) throw new Error('no source')
  const nonce = issueTurnNonce(Buffer.alloc(32, 1), source, 0)
  expect(turnNonceIssuedAt(Buffer.alloc(32, 2), source, nonce, 0)).toBeUndefined()
  expect(lengths()).toEqual([[12, 12]])
})

test('a webhook signature is compared by Web Cryptography, in constant time', async () => {
  const verify = vi.spyOn(crypto.webcrypto.subtle, 'verify')
  await expect(webhooks.verify('{}', `sha256=${'0'.repeat(64)}`, 'whsec_x')).rejects.toThrow()
  expect(verify).toHaveBeenCalledTimes(1)
  verify.mockRestore()
})
