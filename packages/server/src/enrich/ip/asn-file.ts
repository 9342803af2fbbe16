/**
 * The layout of `asn.bin`, which `build/compile-asn.ts` writes and `asn-table.ts` reads in place.
 * All numbers are unsigned 32-bit in the byte order of the machine, so that each section is a view of the
 * file:
 *
 *     header     16 numbers, see HEADER
 *     v4 start   [ipv4Rows]       first address of each range, ascending; ranges never overlap
 *     v4 end     [ipv4Rows]       last address of each range
 *     v4 network [ipv4Rows]       index of the range's network
 *     v6 start   [ipv6Rows * 4]   as v4, four words per address, most significant first
 *     v6 end     [ipv6Rows * 4]
 *     v6 network [ipv6Rows]
 *     asn        [networks]       autonomous system number of each network
 *     name start [networks]       the organisation's name within the text; equal names are stored once
 *     name end   [networks]
 *     text       [textBytes]      UTF-8
 */
export const HEADER = {
  magic: 0,
  format: 1,
  ipv4Rows: 2,
  ipv6Rows: 3,
  networks: 4,
  textBytes: 5,
  /** Bytes 32 to 63: version of the data package in ASCII, padded with zeros. */
  dataVersion: 8,
} as const

export const HEADER_BYTES = 64
export const DATA_VERSION_OFFSET = HEADER.dataVersion * 4
/** The letters `INKA`. A machine of the other byte order reads another number and refuses the file. */
export const MAGIC = 0x414b4e49
/** Raise with any change of the layout. */
export const FORMAT = 1

/** The version of the data package that a header names. */
export const readDataVersion = (header: Buffer): string =>
  header.toString('latin1', DATA_VERSION_OFFSET, HEADER_BYTES).replace(/\0+$/, '')

/** The day of the data, `YYYY-MM-DD`, that a version such as `2.3.2026061719` carries. */
export function dateOfDataVersion(version: string): string | undefined {
  const match = /\.(20\d\d)(\d\d)(\d\d)\d*$/.exec(version)
  return match ? match.slice(1, 4).join('-') : undefined
}
