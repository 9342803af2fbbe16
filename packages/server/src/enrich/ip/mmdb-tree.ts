import type { ParsedAddress } from '../../lib/address.ts'

/** The metadata of a database that describes its search tree. */
export interface MmdbShape {
  /** Bits per record, which is half a node: 24, 28 or 32. */
  recordSize: number
  nodeCount: number
  ipVersion: number
}

export interface MmdbTree {
  /** A number that identifies the record of the address; undefined without one. */
  find(address: ParsedAddress): number | undefined
}

const INDEX_BITS = 16

/**
 * Searches the tree of an MMDB file, format 2.0: https://maxmind.github.io/MaxMind-DB/
 * By hand, because `mmdb-lib` takes addresses as text and decodes the record on every lookup, which is most of its
 * cost (`npm run bench:ip`). The nodes for the first 16 bits of IPv4 are kept once they are found; equal records have
 * the same number, so the caller can cache what they mean.
 */
export function openMmdbTree(bytes: Uint8Array, { recordSize, nodeCount, ipVersion }: MmdbShape): MmdbTree {
  const child = childReader(bytes, recordSize)

  /** Follows the first `count` bits of a word; stops early at a record or at an empty leaf. */
  const walk = (from: number, word: number, count: number): number => {
    let node = from
    for (let bit = 31; bit > 31 - count && node < nodeCount; bit--) node = child(node, (word >>> bit) & 1)
    return node
  }
  const ipv4Root = ipVersion === 4 ? 0 : walk(walk(walk(0, 0, 32), 0, 32), 0, 32)
  /** 0, which is the root and nowhere else in the tree, where nobody has looked yet. */
  const ipv4Index = new Uint32Array(1 << INDEX_BITS)
  const ipv4Node = (value: number): number => {
    const top = value >>> (32 - INDEX_BITS)
    const known = ipv4Index[top] ?? 0
    if (known !== 0) return known
    const node = walk(ipv4Root, value, INDEX_BITS)
    ipv4Index[top] = node
    return node
  }

  return {
    find(address) {
      let node = 0
      if (address.family === 4) {
        node = walk(ipv4Node(address.value), address.value << INDEX_BITS, 32 - INDEX_BITS)
      } else if (ipVersion === 6) {
        const [first, second, third, fourth] = address.words
        node = walk(walk(walk(walk(0, first, 32), second, 32), third, 32), fourth, 32)
      }
      return node > nodeCount ? node : undefined
    },
  }
}

/** Returns a function that reads the left (0) or right (1) record of a node. 28-bit records share the middle byte. */
function childReader(bytes: Uint8Array, recordSize: number): (node: number, side: number) => number {
  const byte = (at: number): number => bytes[at] ?? 0
  const three = (at: number): number => (byte(at) << 16) | (byte(at + 1) << 8) | byte(at + 2)
  switch (recordSize) {
    case 24:
      return (node, side) => three(node * 6 + side * 3)
    case 28:
      return (node, side) => {
        const middle = byte(node * 7 + 3)
        return ((side ? middle & 15 : middle >>> 4) << 24) | three(node * 7 + side * 4)
      }
    case 32:
      return (node, side) => {
        const at = node * 8 + side * 4
        return byte(at) * 0x1000000 + three(at + 1)
      }
    default:
      throw new Error(`records of ${recordSize} bits are unknown`)
  }
}
