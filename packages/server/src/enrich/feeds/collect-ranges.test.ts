import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ParsedAddress, parseAddress, wordsOf } from '../../lib/address.ts'
import { type Cidr, parseCidr, prefixMask } from '../../lib/cidr.ts'
import { type AddressRanges, countryAt, decodeRanges, encodeRanges, hasAddress } from './address-ranges.ts'
import { collectRanges } from './collect-ranges.ts'

const cidr = (text: string): Cidr => {
  const parsed = parseCidr(text)
  if (!parsed) throw new Error(text)
  return parsed
}
const address = (text: string): ParsedAddress => {
  const parsed = parseAddress(text)
  if (!parsed) throw new Error(text)
  return parsed
}

function rangesOf(rows: readonly (readonly [range: string, country?: string])[]): AddressRanges {
  const collector = collectRanges()
  for (const [range, country] of rows) collector.add(cidr(range), country)
  return collector.finish()
}

const holds = ({ first, bits }: Cidr, other: ParsedAddress): boolean => {
  const words = wordsOf(other)
  return (
    first.family === other.family &&
    wordsOf(first).every((value, word) => ((words[word] ?? 0) & prefixMask(bits, word)) >>> 0 === value)
  )
}

// Few values per byte, so that ranges meet, touch and lie inside one another.
const byte = fc.constantFrom(0, 1, 2, 3, 127, 128, 254, 255)
const ipv4 = fc.tuple(byte, byte).map(([third, fourth]) => `9.9.${third}.${fourth}`)
const group = fc.constantFrom('0', '1', '7fff', '8000', 'fffe', 'ffff')
const ipv6 = fc.tuple(group, group, group).map(([a, b, c]) => `2600:ffff:${a}:ffff:ffff:ffff:${b}:${c}`)
const range = fc.oneof(
  fc.tuple(ipv4, fc.integer({ min: 16, max: 32 })).map(([text, bits]) => `${text}/${bits}`),
  fc.tuple(ipv6, fc.integer({ min: 30, max: 128 })).map(([text, bits]) => `${text}/${bits}`),
)

test('an address is on the list exactly if one of the ranges contains it, also after encoding and decoding', () => {
  fc.assert(
    fc.property(
      fc.array(range, { maxLength: 30 }),
      fc.array(fc.oneof(ipv4, ipv6), { minLength: 20 }),
      (texts, asked) => {
        const ranges = rangesOf(texts.map((text) => [text]))
        const reopened = decodeRanges(encodeRanges(ranges))
        for (const text of asked) {
          const one = address(text)
          const expected = texts.some((entry) => holds(cidr(entry), one))
          expect([hasAddress(ranges, one), reopened && hasAddress(reopened, one)]).toEqual([
            expected,
            expected,
          ])
        }
      },
    ),
  )
})

test('adjacent ranges are merged, and the last address of all has no successor', () => {
  const { ipv4, ipv6 } = rangesOf([
    ['9.9.9.128/25'],
    ['9.9.9.0/25'],
    ['9.9.9.7'],
    ['255.255.255.255'],
    ['0.0.0.0'],
    ['2600:0:0:1::/64'],
    ['2600::/64'],
    ['2600:0:0:2::1'],
  ])
  expect([...ipv4.ends]).toEqual([0, 0x090909ff, 0xffffffff])
  expect([...ipv6.ends]).toEqual([...[0x26000000, 1, 0xffffffff, 0xffffffff], ...[0x26000000, 2, 0, 1]])
})

test('ranges of different countries are not merged; of nested ones the wider one counts', () => {
  const ranges = rangesOf([
    ['9.9.9.0/25', 'DE'],
    ['9.9.9.128/25', 'US'],
    ['9.9.9.200', 'FR'],
    ['9.9.10.0/24'],
    ['2600::/32', 'US'],
  ])
  const reopened = decodeRanges(encodeRanges(ranges))
  for (const known of [ranges, reopened])
    expect(
      ['9.9.9.1', '9.9.9.200', '9.9.10.1', '9.9.11.1', '2600::1', '2601::'].map(
        (text) => known && countryAt(known, address(text)),
      ),
    ).toEqual(['DE', 'US', undefined, undefined, 'US', undefined])
})

test('a file that is truncated, too long or in another format is rejected', () => {
  const bytes = encodeRanges(rangesOf([['9.9.9.0/24', 'DE'], ['2600::/32']]))
  expect(decodeRanges(bytes)).toBeDefined()
  for (let length = 0; length < bytes.length; length++)
    expect(decodeRanges(bytes.subarray(0, length))).toBeUndefined()
  expect(decodeRanges(Buffer.concat([bytes, Buffer.from([0])]))).toBeUndefined()
  expect(decodeRanges(bytes.map((byte, at) => (at === 0 ? byte ^ 1 : byte)))).toBeUndefined()
})

test('a file is decoded at any alignment in memory', () => {
  const bytes = encodeRanges(rangesOf([['9.9.9.0/24', 'DE']]))
  for (const offset of [0, 1, 2, 3, 4]) {
    const moved = Buffer.concat([Buffer.alloc(offset), bytes]).subarray(offset)
    const ranges = decodeRanges(moved)
    expect(ranges && countryAt(ranges, address('9.9.9.9'))).toBe('DE')
  }
})
