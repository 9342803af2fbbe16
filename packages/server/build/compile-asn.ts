import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import {
  DATA_VERSION_OFFSET,
  FORMAT,
  HEADER,
  HEADER_BYTES,
  MAGIC,
  readDataVersion,
} from '../src/enrich/ip/asn-table.ts'
import { parseAddress } from '../src/lib/address.ts'

const PACKAGE = createRequire(import.meta.url).resolve('@ip-location-db/asn/package.json')

const packageVersion = (): string => JSON.parse(readFileSync(PACKAGE, 'utf8')).version

/** Whether the file was compiled from the installed data in the current layout. */
export function asnIsCurrent(outFile: string): boolean {
  let header: Uint8Array<ArrayBuffer>
  try {
    header = new Uint8Array(readFileSync(outFile).subarray(0, HEADER_BYTES))
  } catch {
    return false
  }
  if (header.length < HEADER_BYTES) return false
  const fields = new Uint32Array(header.buffer)
  return (
    fields[HEADER.magic] === MAGIC &&
    fields[HEADER.format] === FORMAT &&
    readDataVersion(Buffer.from(header)) === packageVersion()
  )
}

/** Compiles the CSV files of `@ip-location-db/asn` into the file that `openAsnTable` reads. Replaces it atomically. */
export function compileAsn(outFile: string): void {
  const folder = dirname(PACKAGE)
  const networks = collectNetworks()
  const ipv4 = readRanges(readFileSync(join(folder, 'asn-ipv4-num.csv')), 1, readDecimal, networks.indexOf)
  const ipv6 = readRanges(readFileSync(join(folder, 'asn-ipv6.csv')), 4, readIpv6, networks.indexOf)
  const table = networks.table()

  const header = new Uint32Array(HEADER_BYTES / 4)
  header[HEADER.magic] = MAGIC
  header[HEADER.format] = FORMAT
  header[HEADER.ipv4Rows] = ipv4.networks.length
  header[HEADER.ipv6Rows] = ipv6.networks.length
  header[HEADER.networks] = table.asns.length
  header[HEADER.textBytes] = table.text.length
  Buffer.from(header.buffer).write(packageVersion(), DATA_VERSION_OFFSET, 'latin1')

  const numbers = [
    ...[header, ipv4.starts, ipv4.ends, ipv4.networks, ipv6.starts, ipv6.ends, ipv6.networks],
    ...[table.asns, table.nameStarts, table.nameEnds],
  ]
  mkdirSync(dirname(outFile), { recursive: true })
  const unfinished = `${outFile}.${randomUUID()}.tmp`
  try {
    writeFileSync(
      unfinished,
      Buffer.concat([...numbers.map(({ buffer }) => Buffer.from(buffer)), table.text]),
    )
    renameSync(unfinished, outFile)
  } finally {
    rmSync(unfinished, { force: true })
  }
}

/** Numbers the networks in order of appearance, and stores each organisation's name once. */
function collectNetworks() {
  const indexes = new Map<number, number>()
  const asns: number[] = []
  const nameStarts: number[] = []
  const nameEnds: number[] = []
  const placeOfName = new Map<string, number>()
  const names: Buffer[] = []
  let textBytes = 0

  return {
    indexOf(asn: number, csvName: () => string): number {
      const known = indexes.get(asn)
      if (known !== undefined) return known
      const name = csvName()
        .replace(/^"(.*)"$/, '$1')
        .replaceAll('""', '"')
      const bytes = Buffer.from(name)
      let start = placeOfName.get(name)
      if (start === undefined) {
        start = textBytes
        placeOfName.set(name, start)
        names.push(bytes)
        textBytes += bytes.length
      }
      indexes.set(asn, asns.length)
      nameStarts.push(start)
      nameEnds.push(start + bytes.length)
      return asns.push(asn) - 1
    },
    table: () => ({
      asns: Uint32Array.from(asns),
      nameStarts: Uint32Array.from(nameStarts),
      nameEnds: Uint32Array.from(nameEnds),
      text: Buffer.concat(names),
    }),
  }
}

/** Parses an address from the bytes and writes its words into `target` at `offset`. */
type ReadAddress = (csv: Buffer, from: number, to: number, target: Uint32Array, offset: number) => void

const readDecimal: ReadAddress = (csv, from, to, target, offset) => {
  target[offset] = decimal(csv, from, to)
}

const readIpv6: ReadAddress = (csv, from, to, target, offset) => {
  const address = parseAddress(csv.toString('latin1', from, to))
  if (address?.family !== 6) throw new Error(`not an IPv6 address: ${csv.toString('latin1', from, to)}`)
  target.set(address.words, offset)
}

/** Reads rows `start,end,asn,name`. Works on bytes, because regular expressions take seconds on these files. */
function readRanges(
  csv: Buffer,
  wordsPerAddress: number,
  readAddress: ReadAddress,
  networkIndex: (asn: number, csvName: () => string) => number,
) {
  const rows = countLines(csv)
  const starts = new Uint32Array(rows * wordsPerAddress)
  const ends = new Uint32Array(rows * wordsPerAddress)
  const networks = new Uint32Array(rows)
  let line = 0
  for (let row = 0; row < rows; row++) {
    const second = afterComma(csv, line)
    const third = afterComma(csv, second)
    const name = afterComma(csv, third)
    const found = csv.indexOf(NEWLINE, name)
    const lineEnd = found < 0 ? csv.length : found
    readAddress(csv, line, second - 1, starts, row * wordsPerAddress)
    readAddress(csv, second, third - 1, ends, row * wordsPerAddress)
    networks[row] = networkIndex(decimal(csv, third, name - 1), () => csv.toString('utf8', name, lineEnd))
    line = lineEnd + 1
  }
  return { starts, ends, networks }
}

const COMMA = 0x2c
const NEWLINE = 0x0a

function afterComma(csv: Buffer, from: number): number {
  let at = from
  while (csv[at] !== COMMA && at < csv.length) at++
  return at + 1
}

function countLines(csv: Buffer): number {
  let lines = 0
  for (let at = csv.indexOf(NEWLINE); at >= 0; at = csv.indexOf(NEWLINE, at + 1)) lines++
  return csv.at(-1) === NEWLINE ? lines : lines + 1
}

function decimal(csv: Buffer, from: number, to: number): number {
  let value = 0
  for (let at = from; at < to; at++) {
    const digit = (csv[at] ?? 0) - 0x30
    if (digit < 0 || digit > 9) throw new Error(`not a number: ${csv.toString('latin1', from, to)}`)
    value = value * 10 + digit
  }
  return value
}
