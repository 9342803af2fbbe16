import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { readAccount } from './read-account.ts'

const KEY = 'usr_00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff'
const sign = (userHid: string, key = KEY) => createHmac('sha256', key).update(userHid).digest('hex')
const signed = (userHid: string, key = KEY) => `${userHid}.${sign(userHid, key)}`
const optional = { userKey: { key: KEY, isRequired: false } }
const required = { userKey: { key: KEY, isRequired: true } }

test('the signature that the guide prints is the one that is expected', () => {
  expect(sign('b3f1c2')).toBe('2372e1e55f563a59e6476e6650c90c08cf53126af30414a60a768fa293be1c07')
})

test('without a key an account identifier is what was sent, whatever it looks like', () => {
  for (const sent of ['b3f1c2', signed('b3f1c2'), 'anonymous', ''])
    expect(readAccount(sent, {})).toEqual({ userHid: sent })
})

test.each([
  ['a signed one', signed('b3f1c2'), 'b3f1c2', 'signed', 'b3f1c2', 'signed'],
  [
    'a signed one with dots and other characters',
    signed('a.b≠c d'),
    'a.b≠c d',
    'signed',
    'a.b≠c d',
    'signed',
  ],
  ['an unsigned one', 'b3f1c2', 'b3f1c2', 'claimed', 'anonymous', 'dropped'],
  ['one that is signed with another key', signed('b3f1c2', 'x'), 'b3f1c2', 'invalid', 'anonymous', 'dropped'],
  ['the signature of another account', `ada.${sign('b3f1c2')}`, 'ada', 'invalid', 'anonymous', 'dropped'],
  ['an unsigned one that ends like a file name', 'ada.json', 'ada.json', 'claimed', 'anonymous', 'dropped'],
])(
  '%s, where signatures are optional and where they are required',
  (_, sent, asOptional, proof, asRequired, proofRequired) => {
    expect(readAccount(sent, optional)).toEqual({ userHid: asOptional, account: proof })
    expect(readAccount(sent, required)).toEqual({ userHid: asRequired, account: proofRequired })
  },
)

test('who is not signed in has nothing to prove', () => {
  for (const sent of ['anonymous', 'fail', '', '-1'])
    expect(readAccount(sent, required)).toEqual({ userHid: sent })
})
