import { expect, test } from 'vitest'
import { hashPassword, NO_USER_HASH, verifyPassword } from './users.ts'

test('a password matches its hash and no other', async () => {
  const stored = await hashPassword('correct horse battery')
  expect(await verifyPassword('correct horse battery', stored)).toBe(true)
  expect(await verifyPassword('correct horse batterz', stored)).toBe(false)
  expect(await verifyPassword('', stored)).toBe(false)
})

test('each hash has a salt of its own and its parameters', async () => {
  const [one, other] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')])
  expect(one).not.toBe(other)
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

test('a password typed with composed or combined accents is the same', async () => {
  expect(await verifyPassword('caf\u00e9 noir', await hashPassword('cafe\u0301 noir'))).toBe(true)
})

test('no password matches a damaged hash or that of an unknown user', async () => {
  for (const stored of ['', 'plain', '$argon2id$v=19$m=1,t=1$x$y', NO_USER_HASH])
    expect(await verifyPassword('correct horse', stored)).toBe(false)
})
