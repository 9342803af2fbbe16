import { beforeAll, describe, expect, test } from 'vitest'
import { asnIsCurrent, compileAsn } from '../../../build/compile-asn.ts'
import { parseAddress } from '../../lib/address.ts'
import { type AsnTable, openAsnTable } from './asn-table.ts'

const file = `${import.meta.dirname}/../../../data/asn.bin`
let table: AsnTable

beforeAll(() => {
  if (!asnIsCurrent(file)) compileAsn(file)
  table = openAsnTable(file)
})

const lookUp = (text: string) => {
  const address = parseAddress(text)
  return address && table.lookUp(address)
}

describe('the ASN table', () => {
  test.each([
    ['8.8.8.8', 15169, 'Google LLC'],
    ['::ffff:8.8.8.8', 15169, 'Google LLC'],
    ['2a01:4f8::1', 24940, 'Hetzner Online GmbH'],
    ['2606:4700:4700::1111', 13335, 'Cloudflare, Inc.'],
  ])('%s belongs to AS%i, %s', (text, asn, organization) => {
    expect(lookUp(text)).toEqual({ asn, organization })
  })

  test.each([
    '0.0.0.0',
    '0.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  ])('%s, next to a range, belongs to no network', (text) => {
    expect(lookUp(text)).toBeUndefined()
  })

  test('has the date of its data', () => {
    expect(table.dataDate).toMatch(/^20\d\d-\d\d-\d\d$/)
  })
})
