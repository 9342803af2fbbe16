import type { ParsedAddress } from '../../lib/address.ts'
import { compareRow, lastStartAtOrBelow, lastWideStartAtOrBelow } from '../ip/sorted-rows.ts'

/**
 * Ranges of one family in ascending order. Adjacent ranges of one country are merged. An address has one 32-bit word
 * in IPv4 and four in IPv6, most significant first.
 */
export interface Ranges {
  /** First and last address of each row. */
  starts: Uint32Array
  ends: Uint32Array
  /** Per row an index into `countries`, 0 for none; empty when the list has no countries. */
  countries: Uint16Array
}

export interface AddressRanges {
  ipv4: Ranges
  ipv6: Ranges
  /** ISO 3166 codes; the first one is empty. */
  countries: readonly string[]
}

export const hasAddress = (ranges: AddressRanges, address: ParsedAddress): boolean =>
  rowOf(ranges, address) >= 0

/** The country of the address in the list; undefined if it is not on the list or has none. */
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

/**
 * The file format of a feed's ranges: a header of 32-bit numbers, the columns of both families, and the two-letter
 * country codes. In the byte order of the machine that wrote it.
 */
const FILE_MAGIC = 0x4c4b4e49
const FORMAT = 1
const HEADER = { magic: 0, format: 1, ipv4Rows: 2, ipv6Rows: 3, countries: 4 } as const
const HEADER_WORDS = 5

export function encodeRanges({ ipv4, ipv6, countries }: AddressRanges): Uint8Array<ArrayBuffer> {
  const header = new Uint32Array(HEADER_WORDS)
  header[HEADER.magic] = FILE_MAGIC
  header[HEADER.format] = FORMAT
  header[HEADER.ipv4Rows] = ipv4.starts.length
  header[HEADER.ipv6Rows] = ipv6.starts.length / 4
  header[HEADER.countries] = countries.length
  const columns = [header, ipv4.starts, ipv4.ends, ipv6.starts, ipv6.ends, ipv4.countries, ipv6.countries]
  const parts = columns.map(
    ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength),
  )
  return new Uint8Array(Buffer.concat([...parts, Buffer.from(countries.join(''), 'latin1')]))
}

/** Undefined when the bytes are in another format or have the wrong length. */
export function decodeRanges(bytes: Uint8Array): AddressRanges | undefined {
  // Views of 32-bit numbers need an aligned start, which a copy has.
  const { buffer } = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes)
  const offset = bytes.byteOffset % 4 === 0 ? bytes.byteOffset : 0
  if (bytes.length < HEADER_WORDS * 4) return undefined
  const header = new Uint32Array(buffer, offset, HEADER_WORDS)
  if (header[HEADER.magic] !== FILE_MAGIC || header[HEADER.format] !== FORMAT) return undefined
  const ipv4Rows = header[HEADER.ipv4Rows] ?? 0
  const ipv6Rows = header[HEADER.ipv6Rows] ?? 0
  const countryCount = header[HEADER.countries] ?? 0
  const countryRows = countryCount > 1 ? ipv4Rows + ipv6Rows : 0
  const addressWords = 2 * ipv4Rows + 8 * ipv6Rows
  const codeBytes = Math.max(countryCount - 1, 0) * 2
  if (bytes.length !== (HEADER_WORDS + addressWords) * 4 + countryRows * 2 + codeBytes) return undefined

  let next = offset + HEADER_WORDS * 4
  const words = (length: number) => {
    next += length * 4
    return new Uint32Array(buffer, next - length * 4, length)
  }
  const indexes = (length: number) => {
    next += length * 2
    return new Uint16Array(buffer, next - length * 2, length)
  }
  const family = (rows: number, width: number): Omit<Ranges, 'countries'> => ({
    starts: words(rows * width),
    ends: words(rows * width),
  })
  const ipv4 = family(ipv4Rows, 1)
  const ipv6 = family(ipv6Rows, 4)
  const isStated = countryRows > 0
  return {
    ipv4: { ...ipv4, countries: indexes(isStated ? ipv4Rows : 0) },
    ipv6: { ...ipv6, countries: indexes(isStated ? ipv6Rows : 0) },
    countries: ['', ...(Buffer.from(buffer, next, codeBytes).toString('latin1').match(/../g) ?? [])],
  }
}
