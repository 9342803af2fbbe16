import type { ParsedAddress } from '../../lib/parse-address.ts'
import { compareRow, lastStartAtOrBelow, lastWideStartAtOrBelow } from '../../lib/sorted-rows.ts'

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
