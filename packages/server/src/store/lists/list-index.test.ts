import type { ListKind, ListName } from '@inkling/contract'
import { describe, expect, test } from 'vitest'
import { formatAddress, parseAddress, samePrefix } from '../../lib/address.ts'
import type { ListSubjects } from '../../visit/list-match.ts'
import { createListIndex, type ListedEntry } from './list-index.ts'
import { normalValue } from './subject-value.ts'

const NOW_MS = Date.UTC(2026, 10, 21)

const entry = (list: ListName, kind: ListKind, value: string, expiresAtMs?: number): ListedEntry => ({
  list,
  kind,
  value,
  reason: `${list} ${value}`,
  expiresAtMs,
})

function indexOf(...entries: ListedEntry[]) {
  const index = createListIndex()
  for (const one of entries) index.add(one)
  return index
}

const namesOf = (index: ReturnType<typeof indexOf>, subjects: ListSubjects, atMs = NOW_MS) =>
  index.match(subjects, atMs).map(({ list, value }) => `${list} ${value}`)

describe('lists in memory', () => {
  test('of several networks around an address the narrowest of each list matches, denials first', () => {
    const index = indexOf(
      entry('watch', 'cidr', '91.0.0.0/8'),
      entry('allow', 'cidr', '91.0.0.0/16'),
      entry('deny', 'cidr', '91.0.0.0/16'),
      entry('deny', 'cidr', '91.0.3.0/24'),
      entry('allow', 'address', '91.0.3.7'),
      entry('deny', 'cidr', '2a01:4f8::/32'),
    )
    expect(namesOf(index, { address: '91.0.3.7' })).toEqual([
      'deny 91.0.3.0/24',
      'allow 91.0.3.7',
      'allow 91.0.0.0/16',
      'watch 91.0.0.0/8',
    ])
    expect(namesOf(index, { address: '91.0.4.1' })).toEqual([
      'deny 91.0.0.0/16',
      'allow 91.0.0.0/16',
      'watch 91.0.0.0/8',
    ])
    expect(namesOf(index, { localAddress: '2a01:4f8:1::5' })).toEqual(['deny 2a01:4f8::/32'])
    expect(namesOf(index, { address: '2a01:4f9::5' })).toEqual([])
  })

  test('an entry counts until it expires, and another one of the same list and value replaces it', () => {
    const index = indexOf(entry('deny', 'asn', '64500', NOW_MS + 1))
    expect(namesOf(index, { asn: 64_500 })).toHaveLength(1)
    expect(namesOf(index, { asn: 64_500 }, NOW_MS + 1)).toEqual([])
    index.add(entry('deny', 'asn', '64500'))
    expect(namesOf(index, { asn: 64_500 }, NOW_MS + 1)).toHaveLength(1)
    expect(index.size()).toBe(1)
  })

  test('an account that the page only claims matches no entry that would let it pass', () => {
    const index = indexOf(entry('allow', 'account', 'crew-17'), entry('deny', 'account', 'crew-17'))
    expect(namesOf(index, { account: 'crew-17' })).toEqual(['deny crew-17', 'allow crew-17'])
    expect(namesOf(index, { account: 'crew-17', isAccountClaimed: true })).toEqual(['deny crew-17'])
  })

  test('an address that only the network check saw lets nobody pass', () => {
    const lists = ['allow', 'deny', 'watch'] as const
    const index = indexOf(
      ...lists.flatMap((list) => [
        entry(list, 'cidr', '91.0.3.0/24'),
        entry(list, 'local_address', '91.0.3.7'),
      ]),
    )
    expect(namesOf(index, { address: '198.51.100.1', localAddress: '91.0.3.7' })).toEqual([
      'deny 91.0.3.7',
      'deny 91.0.3.0/24',
      'watch 91.0.3.7',
      'watch 91.0.3.0/24',
    ])
  })

  test('a thousand networks match the addresses in them, as comparing all of them one by one says', () => {
    const random = numbers(17)
    const networks = Array.from({ length: 1_000 }, () => {
      const bits = 8 + (random() % 25)
      const normal = normalValue('cidr', `${dotted(random())}/${bits}`)
      return 'value' in normal ? normal.value : ''
    })
    const index = indexOf(...networks.map((value) => entry('deny', 'cidr', value)))
    let found = 0
    for (let count = 0; count < 2_000; count++) {
      const address = dotted(random())
      const holding = networks.filter((network) => isIn(address, network))
      const widest = (network: string) => -Number(network.split('/')[1])
      const [narrowest] = holding.sort((a, b) => widest(a) - widest(b))
      expect(index.match({ address }, NOW_MS).map(({ value }) => value)).toEqual(
        narrowest === undefined ? [] : [narrowest],
      )
      found += holding.length
    }
    expect(found).toBeGreaterThan(100)
  })
})

/** The same numbers on every run. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state
  }
}

const dotted = (value: number): string => formatAddress({ family: 4, value })

function isIn(address: string, network: string): boolean {
  const [first = '', bits] = network.split('/')
  const [a, b] = [parseAddress(address), parseAddress(first)]
  return a !== undefined && b !== undefined && samePrefix(a, b, Number(bits))
}

describe('a value', () => {
  test.each([
    ['device', 'ABCDEF00-0000-4000-8000-000000000001', 'abcdef00-0000-4000-8000-000000000001'],
    ['account', 'Crew=17', 'Crew=17'],
    ['address', '2A01:04F8:0:0:0:0:0:1', '2a01:4f8::1'],
    ['local_address', '::ffff:10.0.0.1', '10.0.0.1'],
    ['cidr', '91.0.3.7/16', '91.0.0.0/16'],
    ['asn', 'AS64500', '64500'],
    ['country', 'de', 'DE'],
    ['email_domain_hash', 'A'.repeat(64), 'a'.repeat(64)],
  ] as const)('of %s is stored in the form in which visits have it', (kind, text, value) => {
    expect(normalValue(kind, text)).toEqual({ value })
  })

  test.each([
    ['device', '00000000-0000-0000-0000-000000000000'],
    ['cookie', 'abc'],
    ['account', 'anonymous'],
    ['account', 'a\u0000b'],
    ['address', '0.0.0.0'],
    ['address', '91.0.0.0/24'],
    ['cidr', '0.0.0.0/0'],
    ['cidr', '91.0.0.0/7'],
    ['cidr', '2a00::/15'],
    ['asn', '0'],
    ['asn', '4294967296'],
    ['country', 'XQ'],
    ['country', 'Germany'],
    ['email_domain_hash', 'shop.example'],
  ] as const)('of %s that names nobody, half of the internet or nothing is refused: %j', (kind, text) => {
    expect(normalValue(kind, text)).toEqual({ problem: expect.any(String) })
  })
})
