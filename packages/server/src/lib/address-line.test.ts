import { expect, test } from 'vitest'
import { addressLine } from './address-line.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2003:db:17:4:ffff::1', '2003:db:17:4::'],
  ['2003:00DB:17:4::', '2003:db:17:4::'],
  ['2003:db:17:5::1', '2003:db:17:5::'],
  ['::1', '::'],
  ['::ffff:203.0.113.7', '::ffff:203.0.113.7'],
  ['no address', 'no address'],
])('%s is of the line %s', (address, line) => {
  expect(addressLine(address)).toBe(line)
})
