import { describe, expect, test } from 'vitest'
import { recognise } from './recognise.ts'

const ID = 'eb19a5c0-4ae9-570c-8991-44d12998105e'

/** What a text was read as, the text itself aside. */
const readAs = (typed: string) => {
  const { text: _, id, countries, patterns, ...others } = recognise(typed)
  const named = Object.entries(others).filter(([, value]) => value !== undefined)
  return {
    ...Object.fromEntries(named),
    ...(id && { id: id.text }),
    ...(countries.length > 0 && { countries: countries.map(({ code }) => code) }),
    ...(patterns.length > 0 && { patterns }),
  }
}

describe('IDs', () => {
  test.each([
    ['a whole one', ID, ID],
    ['in capitals', ID.toUpperCase(), ID],
    ['without dashes', ID.replaceAll('-', ''), ID],
    ['with spaces around it', `  ${ID}\n`, ID],
    ['its beginning', 'EB19A5', 'eb19a5'],
    ['a beginning that ends with a dash', 'eb19a5c0-', 'eb19a5c0'],
    ['a beginning with dashes', 'eb19a5c0-4ae9-5', 'eb19a5c0-4ae9-5'],
    ['a beginning without dashes', 'eb19a5c04ae95', 'eb19a5c0-4ae9-5'],
  ])('%s', (_, typed, text) => {
    expect(readAs(typed)).toEqual({ id: text })
  })

  test('a beginning stands for all IDs that begin so', () => {
    const { first, last, isWhole } = recognise('EB19A5C').id ?? {}
    expect([first?.toHex(), last?.toHex(), isWhole]).toEqual([
      'eb19a5c0000000000000000000000000',
      'eb19a5cfffffffffffffffffffffffff',
      false,
    ])
    expect(recognise(ID).id?.isWhole).toBe(true)
  })

  test.each([
    ['five characters', 'eb19a'],
    ['a date', '2026-10-08'],
    ['other letters', 'eb19ag'],
    ['too much', `${ID}0`],
    ['dashes alone', '------'],
  ])('%s: none', (_, typed) => {
    expect(recognise(typed).id).toBeUndefined()
  })
})

test.each([
  ['192.0.2.44', { address: '192.0.2.44' }],
  ['2001:DB8:0::1', { address: '2001:db8::1' }],
  ['::ffff:192.0.2.44', { address: '192.0.2.44' }],
  ['192.0.2.44/24', { network: '192.0.2.0/24' }],
  ['2001:db8::1/32', { network: '2001:db8::/32' }],
  ['AS13335', { asn: 13335 }],
  ['asn 13335', { asn: 13335 }],
  ['DE', { countries: ['DE'] }],
  ['de', { countries: ['DE'] }],
  ['germany', { countries: ['DE'] }],
  ['swit', { countries: ['CH'] }],
  ['Türkiye', { countries: ['TR'] }],
  ['#12', { caseNumber: 12, findingNumber: 12 }],
  ['12', { caseNumber: 12, findingNumber: 12 }],
  ['Case 12', { caseNumber: 12 }],
  ['pattern #12', { findingNumber: 12 }],
  ['123456', { id: '123456', caseNumber: 123456, findingNumber: 123456 }],
  ['Many Accounts on one', { patterns: ['many_accounts_on_device', 'many_accounts_on_local_ip'] }],
])('%s', (typed, expected) => {
  expect(readAs(typed)).toEqual(expected)
})

test.each([
  '',
  '   ',
  '0.0.0.0',
  '192.0.2.256',
  '192.0.2.0/33',
  'AS4294967296',
  'AS0',
  '#0',
  '#',
  'zz',
  '%',
  "' or 1=1 --",
  '👩‍👩‍👧',
  '9'.repeat(99),
  '../../etc/passwd',
])('%j names nothing for certain', (typed) => {
  expect(readAs(typed)).toEqual({})
})

test('control characters and halves of characters are left out, and nothing else of an account', () => {
  expect(recognise('\u0000ada\u0007\ud800').text).toBe('ada\ufffd')
  expect(recognise(' Ada Lovelace 👩‍🔬 ').text).toBe('Ada Lovelace 👩‍🔬')
})
