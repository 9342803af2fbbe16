import { beforeAll, describe, expect, test } from 'vitest'
import { asnIsCurrent, compileAsn } from '../../../build/compile-asn.ts'
import { formatAddress } from '../../lib/address.ts'
import { type AddressLists, type IpDatabase, openIpDatabase } from './ip-facts.ts'

const asnFile = `${import.meta.dirname}/../../../data/asn.bin`
let database: IpDatabase

beforeAll(() => {
  if (!asnIsCurrent(asnFile)) compileAsn(asnFile)
  database = openIpDatabase({ asnFile })
})

/** One or two of each answer; `test/labelled-addresses.ts` has the many. */
const EXAMPLES: [address: string, countryCode: string, addressClass: string | undefined, what: string][] = [
  ['5.9.1.1', 'DE', 'hosting', 'Hetzner'],
  ['2a05:d014::1', 'DE', 'hosting', 'AWS Frankfurt'],
  ['193.138.218.74', 'SE', 'vpn', 'Mullvad'],
  ['2a07:b944::1', 'CH', 'vpn', 'Proton VPN'],
  ['84.128.1.1', 'DE', 'residential', 'Deutsche Telekom'],
  ['2601:1::1', 'US', 'residential', 'Comcast'],
  ['49.36.0.1', 'IN', 'mobile', 'Jio'],
  ['2607:fb90::1', 'US', 'mobile', 'T-Mobile USA'],
  ['104.28.1.1', 'CA', undefined, 'Cloudflare, WARP or relay or a server'],
  ['172.224.224.1', 'US', undefined, "Akamai, Apple's relay"],
]

describe('what the offline data says', () => {
  test.each(EXAMPLES)('%s is in %s and %s: %s', (address, countryCode, addressClass) => {
    const facts = database.lookUp(address)
    expect([facts.countryCode, facts.class]).toEqual([countryCode, addressClass])
  })

  test('has the name of the country and its time zones', () => {
    expect(database.lookUp('84.128.1.1')).toMatchObject({
      country: 'Germany',
      timeZones: expect.arrayContaining(['Europe/Berlin']),
      asn: 3320,
      organization: 'Deutsche Telekom AG',
    })
  })

  test('without lists, Tor, relay and abuse are unknown, never false', () => {
    for (const [address] of EXAMPLES) {
      expect(database.lookUp(address)).toMatchObject({
        tor: undefined,
        privacyRelay: undefined,
        abuser: undefined,
      })
    }
  })

  test('hosting has three answers; VPN and mobile are yes or unknown', () => {
    expect(database.lookUp('5.9.1.1')).toMatchObject({ hosting: true, vpn: undefined, mobile: undefined })
    expect(database.lookUp('84.128.1.1')).toMatchObject({ hosting: false, vpn: undefined, mobile: undefined })
    expect(database.lookUp('146.70.1.1').asn).toBeUndefined()
    expect(database.lookUp('146.70.1.1')).toMatchObject({ hosting: undefined, class: undefined })
  })

  test('tells the networks in which relays have their exits', () => {
    expect(database.lookUp('104.28.1.1').relayEdge).toBe(true)
    expect(database.lookUp('84.128.1.1')).not.toHaveProperty('relayEdge')
  })

  test('an IPv4-mapped address is the IPv4 address', () => {
    expect(database.lookUp('::ffff:8.8.8.8')).toEqual(database.lookUp('8.8.8.8'))
  })

  test('has the dates of its data', () => {
    expect(database.dataDate.asn).toMatch(/^20\d\d-/)
    expect(database.dataDate.country).toMatch(/^20\d\d-/)
  })
})

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '192.168.0.1',
  '100.64.0.1',
  '::1',
  'fe80::1',
  'fd00::1',
  '',
  'x',
  '8.8.8',
])('nothing is known of %j', (address) => {
  const { country, timeZones, ...rest } = database.lookUp(address)
  expect([country, timeZones]).toEqual(['', []])
  expect(Object.values(rest).filter((value) => value !== undefined)).toEqual([])
})

describe('lists from feeds', () => {
  const listOf = (...addresses: string[]) => ({
    has: (address: Parameters<typeof formatAddress>[0]) => addresses.includes(formatAddress(address)),
  })
  const withLists = (lists: AddressLists) => openIpDatabase({ asnFile, lists })

  test('being on a list is yes, not being on it is no', () => {
    const { lookUp } = withLists({ tor: listOf('5.9.1.1'), abuser: listOf('5.9.1.1') })
    expect(lookUp('5.9.1.1')).toMatchObject({ tor: true, abuser: true, privacyRelay: undefined })
    expect(lookUp('84.128.1.1')).toMatchObject({ tor: false, abuser: false, privacyRelay: undefined })
  })

  test('a seed wins over a list without the address', () => {
    const { lookUp } = withLists({ vpn: listOf(), hosting: listOf(), mobile: listOf() })
    expect(lookUp('193.138.218.74')).toMatchObject({ vpn: true, hosting: true, mobile: false })
    expect(lookUp('49.36.0.1')).toMatchObject({ vpn: false, hosting: false, mobile: true })
  })

  test('Tor wins over relay, relay over VPN, VPN over hosting, hosting over mobile', () => {
    const all = listOf('84.128.1.1')
    const lists: AddressLists = { tor: all, privacyRelay: all, vpn: all, hosting: all, mobile: all }
    const { lookUp } = withLists(lists)
    const seen = (['tor', 'privacyRelay', 'vpn', 'hosting', 'mobile'] as const).map((kind) => {
      const { class: mostly } = lookUp('84.128.1.1')
      delete lists[kind]
      return mostly
    })
    expect(seen).toEqual(['tor', 'privacy_relay', 'vpn', 'hosting', 'mobile'])
    expect(lookUp('84.128.1.1').class).toBe('residential')
  })

  test('a relay address has the country in the relay list, or else that of the database', () => {
    const relay = listOf('172.224.224.1')
    const inCountry = (code: string | undefined) =>
      withLists({ privacyRelay: { ...relay, countryCodeOf: () => code } }).lookUp('172.224.224.1')
    expect(inCountry('JP')).toMatchObject({ countryCode: 'JP', country: 'Japan', timeZones: ['Asia/Tokyo'] })
    expect(inCountry(undefined).countryCode).toBe('US')
    expect(inCountry('ZZ').countryCode).toBe('US')
    const { lookUp } = withLists({ privacyRelay: { ...relay, countryCodeOf: () => 'JP' } })
    expect(lookUp('84.128.1.1')).toMatchObject({ countryCode: 'DE', privacyRelay: false })
  })

  test('a reserved address is on no list', () => {
    const { lookUp } = withLists({ tor: { has: () => true }, abuser: { has: () => true } })
    expect(lookUp('10.0.0.1')).toMatchObject({ tor: undefined, abuser: undefined, class: undefined })
  })
})
