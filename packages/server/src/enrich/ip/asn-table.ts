import { readFileSync } from 'node:fs'
import type { ParsedAddress } from '../../lib/parse-address.ts'
import { compareRow, lastStartAtOrBelow, lastWideStartAtOrBelow } from '../../lib/sorted-rows.ts'
import { dateOfDataVersion, FORMAT, HEADER, HEADER_BYTES, MAGIC, readDataVersion } from './asn-file.ts'

/** The network that announces an address. */
export interface Network {
  asn: number
  organization: string
}

export interface AsnTable<Described = Network> {
  lookUp(address: ParsedAddress): Described | undefined
  /** The day of the data, `YYYY-MM-DD`. */
  dataDate: string | undefined
}

/**
 * Opens a file that `compileAsn` wrote. Throws when it is missing, cut short or of another format. What
 * `describe` makes of a network is kept and answered for each of its addresses.
 */
export function openAsnTable(file: string): AsnTable
export function openAsnTable<Described>(
  file: string,
  describe: (network: Network) => Described,
): AsnTable<Described>
export function openAsnTable(
  file: string,
  describe: (network: Network) => unknown = same,
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
  if (text.length !== header('textBytes')) throw new Error(`${file} is cut short; run the build again`)

  const ipv4Index = indexOfTops(ipv4Starts)
  // Reading a name costs more than finding the row, and the same few networks send most visitors.
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

const same = (network: Network): Network => network

/** Small files come as slices of a shared pool; views of 32-bit numbers need an aligned start. */
function readAligned(file: string): Buffer {
  const bytes = readFileSync(file)
  return bytes.byteOffset % 4 === 0 ? bytes : Buffer.from(new Uint8Array(bytes).buffer)
}

/** IPv4 addresses are told apart by their first 16 bits before a search. */
const TOP_SHIFT = 16

/** For every first half of an address, and one past the last, the first row that starts there or later. */
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
