import { expect, test } from 'vitest'
import { parseAddress } from '../../lib/address.ts'
import { reverseName } from './reverse-dns.ts'

test.each([
  ['192.0.2.5', '5.2.0.192.in-addr.arpa'],
  ['255.0.0.128', '128.0.0.255.in-addr.arpa'],
  // The example of RFC 3596, section 2.5.
  ['4321:0:1:2:3:4:567:89ab', 'b.a.9.8.7.6.5.0.4.0.0.0.3.0.0.0.2.0.0.0.1.0.0.0.0.0.0.0.1.2.3.4.ip6.arpa'],
])('the PTR record of %s is %s', (text, name) => {
  const address = parseAddress(text)
  expect(address && reverseName(address)).toBe(name)
})
