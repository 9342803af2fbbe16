import type { AddressRanges, Ranges } from './address-ranges.ts'

/**
 * The file of one feed's ranges: a header of 32-bit numbers, the columns of both families one after
 * another, the countries' codes of two letters each. In the byte order of the machine that wrote it.
 */
const MAGIC = 0x4c4b4e49
const FORMAT = 1
const HEADER = { magic: 0, format: 1, ipv4Rows: 2, ipv6Rows: 3, countries: 4 } as const
const HEADER_WORDS = 5

export function encodeRanges({ ipv4, ipv6, countries }: AddressRanges): Uint8Array<ArrayBuffer> {
  const header = new Uint32Array(HEADER_WORDS)
  header[HEADER.magic] = MAGIC
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

/** Undefined when the bytes are of another format or their number is not what the header says. */
export function decodeRanges(bytes: Uint8Array): AddressRanges | undefined {
  // A copy starts where 32-bit numbers may.
  const { buffer } = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes)
  const offset = bytes.byteOffset % 4 === 0 ? bytes.byteOffset : 0
  if (bytes.length < HEADER_WORDS * 4) return undefined
  const header = new Uint32Array(buffer, offset, HEADER_WORDS)
  if (header[HEADER.magic] !== MAGIC || header[HEADER.format] !== FORMAT) return undefined
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
