import { describe, expect, test } from 'vitest'
import { FEED_SAMPLES } from '../../../test/feed-server.ts'
import { parseAddress } from '../../lib/address.ts'
import { countryAt, decodeRanges, hasAddress } from './address-ranges.ts'
import { compileFeed } from './compile-feed.ts'
import type { Feed } from './feed.ts'
import type { ParserName } from './parsers/parsers.ts'

const feed = (parser: ParserName, changes: Partial<Feed> = {}): Feed => ({
  id: 'list',
  url: 'https://lists.example/list',
  parser,
  kind: 'hosting',
  cadenceMs: 86_400_000,
  minRows: 1,
  maxRows: 1_000,
  maxBytes: 1_000_000,
  terms: '',
  ...changes,
})

const compile = (parser: ParserName, content: string, changes: Partial<Feed> = {}) =>
  compileFeed(feed(parser, changes), Buffer.from(content))

function ranges(parser: ParserName, content: string, changes: Partial<Feed> = {}) {
  const decoded = decodeRanges(compile(parser, content, changes).bytes)
  const address = (text: string) => parseAddress(text) ?? { family: 4, value: 0 }
  return {
    has: (text: string) => decoded && hasAddress(decoded, address(text)),
    country: (text: string) => decoded && countryAt(decoded, address(text)),
  }
}

describe('formats', () => {
  test.each(Object.entries(FEED_SAMPLES))('%s: all entries are parsed, and nothing else', (name, sample) => {
    const parser = name as ParserName
    expect(compile(parser, sample.content).rows).toBe(sample.rows)
    const list = ranges(parser, sample.content)
    expect([list.has(sample.listed), list.has(sample.unlisted)]).toEqual([true, false])
  })

  test.each(Object.keys(FEED_SAMPLES))('%s: an error page is rejected', (name) => {
    for (const page of ['<!doctype html><title>Sign in</title>', '{"error":"gone"}', '[]', 'null', ''])
      expect(() => compile(name as ParserName, page)).toThrow()
  })

  test.each(Object.entries(FEED_SAMPLES).filter(([name]) => /json|drop/.test(name)))(
    '%s: a document that ends early is refused',
    (name, { content }) => {
      expect(() => compile(name as ParserName, content.slice(0, content.length * 0.6))).toThrow()
    },
  )

  test('only the countries of relays are kept: those of other feeds are the countries of servers', () => {
    const { content } = FEED_SAMPLES.geofeed_csv
    const relay = ranges('geofeed_csv', content, { kind: 'privacy_relay' })
    expect(['8.8.8.1', '2606:4700::1', '9.9.9.9', '1.1.1.1'].map(relay.country)).toEqual([
      'US',
      'DE',
      undefined,
      undefined,
    ])
    expect(ranges('geofeed_csv', content).country('8.8.8.1')).toBeUndefined()
  })
})

describe('content that is rejected', () => {
  test.each([
    ['no address', 'localhost', 'entry 2, "localhost", is neither an address nor a CIDR'],
    ['a prefix too long', '8.8.8.0/33', 'is neither an address nor a CIDR'],
    ['a prefix that is no number', '8.8.8.0/x', 'is neither an address nor a CIDR'],
    ['an IPv6 prefix of IPv4', '::ffff:8.8.8.0/120', 'is neither an address nor a CIDR'],
    ['everything', '0.0.0.0/0', 'is too wide'],
    ['more than anybody has', '8.0.0.0/7', 'is too wide'],
    ['all of IPv6', '::/0', 'is too wide'],
    ['more IPv6 than anybody has', '2600::/18', 'is too wide'],
    ['a private network', '192.168.1.0/24', 'is reserved'],
    ['loopback', '127.0.0.1', 'is reserved'],
    ['carrier-grade NAT', '100.64.0.0/10', 'is reserved'],
    ['local IPv6', 'fd00::/32', 'is reserved'],
    ['a network around a private one', '172.0.0.0/8', 'contains a reserved block'],
    ['a network around an IPv6 documentation one', '2001:c00::/22', 'contains a reserved block'],
  ])('%s', (_name, range, reason) => {
    expect(() => compile('lines', `9.9.9.9\n${range}\n`)).toThrow(reason)
  })

  test('fewer or more entries than expected', () => {
    expect(() => compile('lines', '8.8.8.8\n', { minRows: 2 })).toThrow(
      'has 1 entries; at least 2 are expected',
    )
    expect(() => compile('lines', '8.8.8.8\n9.9.9.9\n', { maxRows: 1 })).toThrow('has more than 1 entries')
  })

  test('bytes that are not UTF-8', () => {
    expect(() => compileFeed(feed('lines'), Buffer.from([0x38, 0xff, 0xfe]))).toThrow('is not UTF-8 text')
  })

  test('a Spamhaus list with a wrong or missing number of records', () => {
    const { content } = FEED_SAMPLES.spamhaus_drop
    const [first = '', second = '', last = ''] = content.trimEnd().split('\n')
    expect(() => compile('spamhaus_drop', [first, last].join('\n'))).toThrow('declares 2 records and has 1')
    expect(() => compile('spamhaus_drop', [first, second].join('\n'))).toThrow(
      'ends without its metadata line',
    )
    expect(() => compile('spamhaus_drop', [first, second, last, first].join('\n'))).toThrow('goes on after')
  })

  test('an IPsum entry without a count', () => {
    expect(() => compile('ipsum', '8.8.8.8\n')).toThrow('no count of lists in "8.8.8.8"')
  })

  test('a document in another format, with the path of the problem', () => {
    expect(() => compile('google_json', '{"prefixes":[{"ipv4Prefix":8}]}')).toThrow('prefixes.0')
    expect(() => compile('azure_json', '{"values":[]}')).toThrow('has no tag AzureCloud')
  })
})

describe('churn', () => {
  const network = (second: number) => `9.${second}.0.0/16\n`
  const list = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => network(from + index)).join('')
  const against = (last: string, next: string, periods = 1) =>
    compileFeed(feed('lines'), Buffer.from(next), { bytes: compile('lines', last).bytes, periods })

  test('up to 30 % of the addresses may change in a period', () => {
    expect(against(list(0, 100), list(10, 115)).rows).toBe(105)
    expect(() => against(list(0, 100), list(0, 60))).toThrow('40 % of its IPv4 addresses changed')
    expect(() => against(list(0, 100), list(0, 140))).toThrow('40 % of its IPv4 addresses changed')
  })

  test('more may change after more periods', () => {
    expect(against(list(0, 100), list(0, 60), 2).rows).toBe(60)
  })

  test('splitting ranges differently is not a change', () => {
    expect(against('9.0.0.0/14\n', list(0, 4)).rows).toBe(4)
  })

  test('a few addresses of a short list may change, a whole network may not', () => {
    expect(against('8.8.8.8\n', '9.9.9.9\n').rows).toBe(1)
    expect(() => against('8.8.8.8\n', '8.8.8.8\n9.0.0.0/8\n')).toThrow('IPv4 addresses changed')
    expect(() => against('2606:4700::/48\n', '2606:4700::/48\n2600::/20\n')).toThrow('IPv6 addresses changed')
  })

  test('losing all addresses of a family is a change of 100 %', () => {
    const both = `${list(0, 10)}2606:4700::/32\n`
    expect(() => against(both, list(0, 10))).toThrow('100 % of its IPv6 addresses changed')
  })
})
