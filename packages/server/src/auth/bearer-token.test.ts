import { expect, test } from 'vitest'
import { bearerToken } from './keys.ts'

test('the scheme is matched in any case, and blanks around the token do not matter', () => {
  for (const header of ['Bearer key', 'bearer key', 'BEARER \t key  ', '  Bearer key'])
    expect(bearerToken(header)).toBe('key')
})

test('without scheme or token there is none', () => {
  for (const header of [undefined, '', 'key', 'Bearer', 'Bearer  ', 'Basic key', 'Bearerkey'])
    expect(bearerToken(header)).toBeUndefined()
})
