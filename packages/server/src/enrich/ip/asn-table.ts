import { readFileSync } from 'node:fs'
import type { ParsedAddress } from '../../lib/address.ts'
import { compareRow, lastStartAtOrBelow, lastWideStartAtOrBelow } from './sorted-rows.ts'

/** The autonomous system that announces an address. */
export interface AutonomousSystem {
  asn: number
  organization: string
}

export interface AsnTable<Described = AutonomousSystem> {
  lookUp(address: ParsedAddress): Described | undefined
  /** The day of the data, `YYYY-MM-DD`. */
  dataDate: string | undefined
}

/**
 * Opens a file that `compileAsn` wrote.
 * @param describe is called once per network; its result is returned for all addresses of the network
 * @throws when the file is missing, truncated or in another format
 */
export function openAsnTable(file: string): AsnTable
export function openAsnTable<Described>(
  file: string,
  describe: (network: AutonomousSystem) => Described,
): AsnTable<Described>
export function openAsnTable(
  file: string,
  describe: (network: AutonomousSystem) => unknown = same,
): AsnTable<unknown> {
  const bytes = readAligned(file)
  const numbers = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2)
  const header = (field: keyof typeof HEADER) => numbers[HEADER[field]] ?? 0
  if (header('magic') !== MAGIC || header('format') !== FORMAT) {
    throw new Error(`${file} is not an ASN table of format ${FORMAT}; run the build again`)
  }
  const ipv4Rows = header('ipv4Rows')
  const ipv6Rows = header('ipv6Rows')
  const networks = header('networks')

  let next = HEADER_BYTES / 4
  const section = (length: number) => {
    next += length
    return numbers.subarray(next - length, next)
  }
  const ipv4Starts = section(ipv4Rows)
  const ipv4Ends = section(ipv4Rows)
  const ipv4Networks = section(ipv4Rows)
  const ipv6Starts = section(ipv6Rows * 4)
  const ipv6Ends = section(ipv6Rows * 4)
  const ipv6Networks = section(ipv6Rows)
  const asns = section(networks)
  const nameStarts = section(networks)
  const nameEnds = section(networks)
  const text = bytes.subarray(next * 4, next * 4 + header('textBytes'))
  if (text.length !== header('textBytes')) throw new Error(`${file} is truncated; run the build again`)

  const ipv4Index = indexOfTops(ipv4Starts)
  // Decoding a name costs more than finding the row, and a few networks send most visitors.
  const known = new Array<unknown>(networks)

  const networkAt = (index: number | undefined): unknown => {
    if (index === undefined) return undefined
    const before = known[index]
    if (before) return before
    const asn = asns[index]
    if (asn === undefined) return undefined
    const network = describe({ asn, organization: text.toString('utf8', nameStarts[index], nameEnds[index]) })
    known[index] = network
    return network
  }

  return {
    dataDate: dateOfDataVersion(readDataVersion(bytes)),
    lookUp(address) {
      if (address.family === 4) {
        const top = address.value >>> TOP_SHIFT
        const row = lastStartAtOrBelow(
          ipv4Starts,
          address.value,
          ipv4Index[top] ?? 0,
          ipv4Index[top + 1] ?? 0,
        )
        return row >= 0 && address.value <= (ipv4Ends[row] ?? 0) ? networkAt(ipv4Networks[row]) : undefined
      }
      const row = lastWideStartAtOrBelow(ipv6Starts, address.words)
      return row >= 0 && compareRow(ipv6Ends, row, address.words) >= 0
        ? networkAt(ipv6Networks[row])
        : undefined
    },
  }
}

const same = (network: AutonomousSystem): AutonomousSystem => network

/** Node reads small files into a shared pool, where they may not start at the 4-byte boundary that 32-bit views need. */
function readAligned(file: string): Buffer {
  const bytes = readFileSync(file)
  return bytes.byteOffset % 4 === 0 ? bytes : Buffer.from(new Uint8Array(bytes).buffer)
}

/** An index over the first 16 bits of IPv4 addresses shortens the binary search. */
const TOP_SHIFT = 16

/** For each value of the first 16 bits, and one past the last, the first row that starts there or later. */
function indexOfTops(starts: Uint32Array): Uint32Array {
  const tops = (0xffff_ffff >>> TOP_SHIFT) + 1
  const index = new Uint32Array(tops + 1)
  let row = 0
  for (let top = 0; top <= tops; top++) {
    while (row < starts.length && (starts[row] ?? 0) >>> TOP_SHIFT < top) row++
    index[top] = row
  }
  return index
}

/**
 * The layout of `asn.bin`, which `build/compile-asn.ts` writes. All numbers are unsigned 32-bit in the machine's byte
 * order, so each section is a view of the file:
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
/** `INKA`. On a machine with another byte order the number differs, so that it rejects the file. */
export const MAGIC = 0x414b4e49
/** Increment with every change of the layout. */
export const FORMAT = 1

/** The version of the data package in a header. */
export const readDataVersion = (header: Buffer): string =>
  header.toString('latin1', DATA_VERSION_OFFSET, HEADER_BYTES).replace(/\0+$/, '')

/** The date of the data, `YYYY-MM-DD`, from a version such as `2.3.2026061719`. */
function dateOfDataVersion(version: string): string | undefined {
  const match = /\.(20\d\d)(\d\d)(\d\d)\d*$/.exec(version)
  return match ? match.slice(1, 4).join('-') : undefined
}
