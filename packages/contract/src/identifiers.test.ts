import { expect, test } from 'vitest'
import { NIL_UUID, namesAccount, namesOne } from './identifiers.ts'

test.each(['anonymous', 'fail', '-1', 'unknown', 'null', '', null, undefined])(
  '%j names no account',
  (hid) => {
    expect(namesAccount(hid)).toBe(false)
  },
)

test.each(['a', 'Anonymous', '0', 'nobody'])('%j names an account', (hid) => {
  expect(namesAccount(hid)).toBe(true)
})

test('the nil UUID belongs to nobody', () => {
  for (const id of [NIL_UUID, '', null, undefined]) expect(namesOne(id)).toBe(false)
  expect(namesOne('0191e7a0-1111-4222-8333-444455556666')).toBe(true)
})
