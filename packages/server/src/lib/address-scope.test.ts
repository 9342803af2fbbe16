import { expect, test } from 'vitest'
import { parseAddress } from './address.ts'
import { isPublicAddress } from './address-scope.ts'

const isPublic = (text: string) => {
  const address = parseAddress(text)
  if (!address) throw new Error(`not an address: ${text}`)
  return isPublicAddress(address)
}

test.each([
  '0.0.0.0',
  '0.1.2.3',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.7',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.255',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::7f00:1',
  '64:ff9b::808:808',
  '100::1',
  '2001::1',
  '2001:20::1',
  '2001:1ff:ffff::1',
  '2001:db8::1',
  '2002:808:808::1',
  '3fff:fff::1',
  '5f00::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
])('%s is not on the public internet', (text) => {
  expect(isPublic(text)).toBe(false)
})

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '128.0.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '::ffff:8.8.8.8',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2001:db7:ffff::1',
  '2001:db9::1',
  '2003::1',
  '2606:4700::1111',
  '3ffe::1',
  '3fff:1000::1',
])('%s is on the public internet', (text) => {
  expect(isPublic(text)).toBe(true)
})
