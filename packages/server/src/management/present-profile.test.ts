import { expect, test } from 'vitest'
import { mask, presentProfile } from './present-profile.ts'

const ROW = {
  id: 1,
  name: 'shop.example',
  enabled: 1,
  remaining: 5,
  created_at: Date.UTC(2026, 2, 4, 5, 6, 7, 890),
  namespace: Buffer.alloc(16),
  public_key: '00112233445566778899aabbccddeeff',
  secret_key_hash: Buffer.alloc(32),
  secret_key_tail: '41ab',
  api_key_hash: Buffer.alloc(32),
}

test('a mask keeps the length and the last four characters; four or fewer stay', () => {
  expect(mask('abcdefgh')).toBe('****efgh')
  expect(mask('abcde')).toBe('*bcde')
  for (const short of ['', 'a', 'abcd']) expect(mask(short)).toBe(short)
})

test('times are to the second, and an unknown one is year 1', () => {
  expect(presentProfile(ROW, '').CreatedAt).toBe('2026-03-04T05:06:07Z')
  expect(presentProfile({ ...ROW, created_at: 0 }, '').CreatedAt).toBe('0001-01-01T00:00:00Z')
})
