import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HEADER_BYTES, openAsnTable } from '../src/enrich/ip/asn-table.ts'
import { parseAddress } from '../src/lib/address.ts'
import { asnIsCurrent, compileAsn } from './compile-asn.ts'

const folder = mkdtempSync(join(tmpdir(), 'inkling-asn-'))
const file = join(folder, 'deep', 'asn.bin')
const data = dirname(createRequire(import.meta.url).resolve('@ip-location-db/asn/package.json'))

beforeAll(() => compileAsn(file))
afterAll(() => rmSync(folder, { recursive: true }))

describe('compileAsn', () => {
  test('both ends of every sampled row are found', () => {
    const table = openAsnTable(file)
    for (const name of ['asn-ipv4.csv', 'asn-ipv6.csv']) {
      const rows = readFileSync(join(data, name), 'utf8').trimEnd().split('\n')
      const sample = rows.filter((_, index) => index % 53 === 0 || index === rows.length - 1)
      for (const row of sample) {
        const [start = '', end = '', asn] = row.split(',')
        for (const text of [start, end]) {
          const address = parseAddress(text)
          expect([row, address && table.lookUp(address)?.asn]).toEqual([row, Number(asn)])
        }
      }
    }
  })

  test('keeps names with commas, quotes and non-ASCII letters', () => {
    const table = openAsnTable(file)
    const csv = readFileSync(join(data, 'asn-ipv4.csv'), 'utf8')
    expect(table.lookUp({ family: 4, value: 0x01010101 })).toEqual({
      asn: 13335,
      organization: 'Cloudflare, Inc.',
    })
    const quoted = /^([\d.]+),[\d.]+,\d+,"(.*"".*)"$/m.exec(csv)
    const address = parseAddress(quoted?.[1] ?? '')
    expect(address && table.lookUp(address)?.organization).toBe(quoted?.[2]?.replaceAll('""', '"'))
  })

  test('leaves no temporary file behind', () => {
    expect(readdirSync(dirname(file))).toEqual(['asn.bin'])
  })
})

describe('asnIsCurrent', () => {
  test('a file of the installed data is current', () => {
    expect(asnIsCurrent(file)).toBe(true)
  })

  test('a missing, empty or other file and a folder are not', () => {
    const foreign = join(folder, 'foreign.bin')
    expect(asnIsCurrent(foreign)).toBe(false)
    for (const content of ['', 'x'.repeat(1_000)]) {
      writeFileSync(foreign, content)
      expect(asnIsCurrent(foreign)).toBe(false)
    }
    expect(asnIsCurrent(folder)).toBe(false)
  })

  test('a file of other data or another layout is not', () => {
    const header = readFileSync(file).subarray(0, HEADER_BYTES)
    const other = join(folder, 'other.bin')
    for (const offset of [4, 40]) {
      const changed = Buffer.from(header)
      changed.writeUInt8(changed.readUInt8(offset) + 1, offset)
      writeFileSync(other, changed)
      expect(asnIsCurrent(other)).toBe(false)
    }
  })
})

describe('openAsnTable', () => {
  test('rejects a missing, truncated or other file', () => {
    const broken = join(folder, 'broken.bin')
    expect(() => openAsnTable(broken)).toThrow()
    for (const bytes of [Buffer.from(''), Buffer.from('no table'), readFileSync(file).subarray(0, 1_000)]) {
      writeFileSync(broken, bytes)
      expect(() => openAsnTable(broken)).toThrow(/run the build again/)
    }
  })
})
