import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { describe, expect, test } from 'vitest'
import {
  formatAddress,
  ipv4ToNumber,
  ipv4ToText,
  type ParsedAddress,
  parseAddress,
  samePrefix,
} from './address.ts'

const normalizeAddress = (text: string): string | undefined => {
  const address = parseAddress(text)
  return address && formatAddress(address)
}

const groups = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff })), {
  minLength: 8,
  maxLength: 8,
})

describe('parseAddress', () => {
  test('reads every IPv4 address as its number', () => {
    fc.assert(
      fc.property(fc.ipV4(), (text) => {
        const value = ipaddr.IPv4.parse(text).octets.reduce((sum, octet) => sum * 256 + octet, 0)
        expect(parseAddress(text)).toEqual({ family: 4, value })
      }),
    )
  })

  test('reads every notation of an IPv6 address as ipaddr.js does', () => {
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        const parts = ipaddr.IPv6.parse(text).parts
        const at = (index: number) => parts[index] ?? 0
        const words = [0, 2, 4, 6].map((index) => at(index) * 0x10000 + at(index + 1))
        if (words[0] === 0 && words[1] === 0 && words[2] === 0xffff) return
        expect(parseAddress(text)).toEqual({ family: 6, words })
      }),
      { numRuns: 500 },
    )
  })

  test('accepts a text exactly when ipaddr.js does, apart from zone ids and odd IPv4 notations', () => {
    const character = fc.constantFrom(...'0123456789afAF::::...')
    fc.assert(
      fc.property(fc.string({ unit: character, maxLength: 24 }), (text) => {
        const valid = ipaddr.IPv6.isValid(text) || ipaddr.IPv4.isValidFourPartDecimal(text)
        expect([text, parseAddress(text) !== undefined]).toEqual([text, valid])
      }),
      { numRuns: 5_000 },
    )
  })

  test('an IPv4-mapped IPv6 address is the IPv4 address', () => {
    expect(parseAddress('::ffff:8.8.4.4')).toEqual({ family: 4, value: 0x08080404 })
    expect(parseAddress('::FFFF:808:404')).toEqual({ family: 4, value: 0x08080404 })
  })

  test.each([
    '',
    ' 8.8.8.8',
    '8.8.8.8:443',
    '[2001:db8::1]',
    '[2001:db8::1]:443',
    'fe80::1%eth0',
    '8.8.8.8/32',
    '08.8.8.8',
    '8.8.8',
    '8.8.8.256',
    '134744072',
    '0x8.8.8.8',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1::2::3',
    ':1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:',
    '1:::2',
    ':',
    ':::',
    '1:2:3:4:5:6:7::8',
    '::1.2.3',
    '1.2.3.4::',
    '12345::',
    'localhost',
    'a'.repeat(10_000),
  ])('%j is no address', (text) => {
    expect(parseAddress(text)).toBeUndefined()
  })
})

describe('normal form', () => {
  test('gives each address one form, the one of RFC 5952', () => {
    fc.assert(
      fc.property(groups, (parts) => {
        const text = parts.map((part) => part.toString(16)).join(':')
        if (parseAddress(text)?.family === 4) return
        expect(normalizeAddress(text)).toBe(new ipaddr.IPv6(parts).toRFC5952String())
      }),
    )
  })

  test.each([
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['1:0:2:3:4:5:6:7', '1:0:2:3:4:5:6:7'],
    ['::', '::'],
    ['::1', '::1'],
    ['1::', '1::'],
  ])('%s is written %s', (text, normal) => {
    expect(normalizeAddress(text)).toBe(normal)
  })

  test('what it writes reads back as the same address', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        const address = parseAddress(text)
        if (!address) throw new Error(`not read: ${text}`)
        expect(parseAddress(formatAddress(address))).toEqual(address)
      }),
    )
  })
})

test('every IPv4 address is the same after a trip through the database', () => {
  for (const text of ['0.0.0.1', '127.0.0.1', '192.0.2.255', '255.255.255.255'])
    expect(ipv4ToText(ipv4ToNumber(text) ?? null)).toBe(text)
})

test('what is no IPv4 address has no number, and no number is the empty address', () => {
  for (const text of ['', '::1', '1.2.3', '1.2.3.256', '1.2.3.4.5', '01234.1.1.1', ' 1.2.3.4'])
    expect(ipv4ToNumber(text)).toBeUndefined()
  expect(ipv4ToText(null)).toBe('0.0.0.0')
})

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
