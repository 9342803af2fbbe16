import { expect, test } from 'vitest'
import { type ParsedAddress, parseAddress } from './parse-address.ts'
import { samePrefix } from './same-prefix.ts'

const parsed = (text: string): ParsedAddress => {
  const address = parseAddress(text)
  if (!address) throw new Error(text)
  return address
}

test.each([
  ['192.0.2.1', '192.0.2.254', 24, true],
  ['192.0.2.1', '192.0.3.1', 24, false],
  ['192.0.2.1', '192.0.3.1', 23, true],
  ['192.0.2.1', '192.0.2.1', 32, true],
  ['192.0.2.1', '192.0.2.2', 32, false],
  ['1.1.1.1', '200.1.1.1', 0, true],
  ['2001:db8:1::1', '2001:db8:1:ffff::1', 48, true],
  ['2001:db8:1::1', '2001:db8:2::1', 48, false],
  ['2001:db8::1', '2001:db8::2', 127, false],
  ['2001:db8::2', '2001:db8::3', 127, true],
  ['192.0.2.1', '2001:db8::1', 0, false],
])('%s and %s share %i bits: %s', (a, b, bits, shared) => {
  expect(samePrefix(parsed(a), parsed(b), bits)).toBe(shared)
})
