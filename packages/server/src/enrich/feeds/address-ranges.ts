import type { ParsedAddress } from '../../lib/parse-address.ts'

/**
 * Ranges of one family in ascending order, none touching another of the same country. An address is one
 * word in IPv4 and four in IPv6, most significant first.
 */
export interface Ranges {
  /** First and last addresses, row by row. */
  starts: Uint32Array
  ends: Uint32Array
  /** Per row an index into `countries`, 0 for none; empty when the list states no countries. */
  countries: Uint16Array
}

export interface AddressRanges {
  ipv4: Ranges
  ipv6: Ranges
  /** ISO 3166 codes. The first one is empty. */
  countries: readonly string[]
}

export const hasAddress = (ranges: AddressRanges, address: ParsedAddress): boolean =>
  rowOf(ranges, address) >= 0

/** The country that the list states for the address; undefined off the list and without one. */
export function countryAt(ranges: AddressRanges, address: ParsedAddress): string | undefined {
  const row = rowOf(ranges, address)
  const family = address.family === 4 ? ranges.ipv4 : ranges.ipv6
  return ranges.countries[family.countries[row] ?? 0] || undefined
}

function rowOf({ ipv4, ipv6 }: AddressRanges, address: ParsedAddress): number {
  if (address.family === 4) {
    const row = lastStartAtOrBelow(ipv4.starts, address.value)
    return row >= 0 && address.value <= (ipv4.ends[row] ?? 0) ? row : -1
  }
  const row = lastWideStartAtOrBelow(ipv6.starts, address.words)
  return row >= 0 && compareRow(ipv6.ends, row, address.words) >= 0 ? row : -1
}

function lastStartAtOrBelow(starts: Uint32Array, value: number): number {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((starts[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}

function lastWideStartAtOrBelow(starts: Uint32Array, words: readonly number[]): number {
  let low = 0
  let high = starts.length >>> 2
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareRow(starts, middle, words) <= 0) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Negative, 0 or positive as the row's address is below, equal to or above the words. */
export function compareRow(addresses: Uint32Array, row: number, words: readonly number[]): number {
  for (let word = 0; word < words.length; word++) {
    const difference = (addresses[row * words.length + word] ?? 0) - (words[word] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
