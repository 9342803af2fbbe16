import { describe, expect, test } from 'vitest'
import { parseAddress } from '../../lib/address.ts'
import { openMmdbTree } from './mmdb-tree.ts'

/** Nodes as the format's specification lays them out: both halves of a node side by side. */
const WRITERS: Record<number, (left: number, right: number) => number[]> = {
  24: (left, right) => [...bigEndian(left, 3), ...bigEndian(right, 3)],
  28: (left, right) => [
    ...bigEndian(left & 0xffffff, 3),
    ((left >>> 24) << 4) | (right >>> 24),
    ...bigEndian(right & 0xffffff, 3),
  ],
  32: (left, right) => [...bigEndian(left, 4), ...bigEndian(right, 4)],
}

const bigEndian = (value: number, bytes: number): number[] =>
  Array.from({ length: bytes }, (_, index) => Math.floor(value / 256 ** (bytes - 1 - index)) % 256)

/** A tree in which one prefix has a record and everything else has none. */
function treeOf(recordSize: number, ipVersion: 4 | 6, prefix: string, record: number) {
  const nodeCount = prefix.length
  const write = WRITERS[recordSize] ?? (() => [])
  const bytes = [...prefix].flatMap((bit, node) => {
    const next = node + 1 < nodeCount ? node + 1 : record
    return bit === '1' ? write(nodeCount, next) : write(next, nodeCount)
  })
  return openMmdbTree(Uint8Array.from(bytes), { recordSize, nodeCount, ipVersion })
}

const find = (tree: ReturnType<typeof treeOf>, text: string) => {
  const address = parseAddress(text)
  return address && tree.find(address)
}
const bits = (value: number, count: number) => value.toString(2).padStart(count, '0')

describe.each([24, 28, 32])('with records of %i bits', (recordSize) => {
  // Uses the topmost bits of a record, which each size keeps in another place.
  const record = 2 ** recordSize - 7

  test.each([8, 15, 16, 17, 24, 32])('finds an IPv4 prefix of %i bits and nothing next to it', (length) => {
    const whole = bits(0xc0a8_0280, 32)
    for (const [version, padding] of [
      [4, ''],
      [6, '0'.repeat(96)],
    ] as const) {
      const tree = treeOf(recordSize, version, padding + whole.slice(0, length), record)
      expect(find(tree, '192.168.2.128')).toBe(record)
      expect(find(tree, '::ffff:192.168.2.128')).toBe(record)
      expect(find(tree, '64.168.2.128')).toBeUndefined()
      expect(find(tree, '193.168.2.128')).toBeUndefined()
    }
  })

  test.each([16, 32, 33, 64, 127, 128])('finds an IPv6 prefix of %i bits', (length) => {
    const whole = [0x20010db8, 0x12345678, 0x9abcdef0, 0x0fedcba9].map((word) => bits(word, 32)).join('')
    const tree = treeOf(recordSize, 6, whole.slice(0, length), record)
    expect(find(tree, '2001:db8:1234:5678:9abc:def0:fed:cba9')).toBe(record)
    expect(find(tree, '2002:db8:1234:5678:9abc:def0:fed:cba9')).toBeUndefined()
    expect(find(tree, '1.2.3.4')).toBeUndefined()
  })
})

test('an IPv4 database has no IPv6 addresses', () => {
  expect(find(treeOf(24, 4, '0', 9), '2001:db8::1')).toBeUndefined()
})

test('an unknown record size throws', () => {
  expect(() => treeOf(20, 4, '', 9)).toThrow(/20 bits/)
})
