import { readFileSync } from 'node:fs'
import type { ParsedAddress } from '../../lib/parse-address.ts'
import { dateOfDataVersion, FORMAT, HEADER, HEADER_BYTES, MAGIC, readDataVersion } from './asn-file.ts'

/** The network that announces an address. */
export interface Network {
  asn: number
  organization: string
}

export interface AsnTable {
  lookUp(address: ParsedAddress): Network | undefined
  /** The day of the data, `YYYY-MM-DD`. */
  dataDate: string | undefined
}

/** Opens a file that `compileAsn` wrote. Throws when it is missing, cut short or of another format. */
export function openAsnTable(file: string): AsnTable {
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

  const networkAt = (index: number | undefined): Network | undefined => {
    const asn = index === undefined ? undefined : asns[index]
    if (index === undefined || asn === undefined) return undefined
    return { asn, organization: text.toString('utf8', nameStarts[index], nameEnds[index]) }
  }

  return {
    dataDate: dateOfDataVersion(readDataVersion(bytes)),
    lookUp(address) {
      if (address.family === 4) {
        const row = lastStartAtOrBelow(ipv4Starts, address.value)
        return row >= 0 && address.value <= (ipv4Ends[row] ?? 0) ? networkAt(ipv4Networks[row]) : undefined
      }
      const row = lastWideStartAtOrBelow(ipv6Starts, address.words)
      return row >= 0 && compareWide(ipv6Ends, row, address.words) >= 0
        ? networkAt(ipv6Networks[row])
        : undefined
    },
  }
}

/** Small files come as slices of a shared pool; views of 32-bit numbers need an aligned start. */
function readAligned(file: string): Buffer {
  const bytes = readFileSync(file)
  return bytes.byteOffset % 4 === 0 ? bytes : Buffer.from(new Uint8Array(bytes).buffer)
}

/** The row of the range that could hold the value, -1 when it lies below all of them. */
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
    if (compareWide(starts, middle, words) <= 0) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Negative, 0 or positive as the row's address is below, equal to or above the words. */
function compareWide(addresses: Uint32Array, row: number, words: readonly number[]): number {
  for (let word = 0; word < 4; word++) {
    const difference = (addresses[row * 4 + word] ?? 0) - (words[word] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
