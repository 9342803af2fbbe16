import { beforeAll, describe, expect, test } from 'vitest'
import { asnIsCurrent, compileAsn } from '../../../build/compile-asn.ts'
import { formatAddress } from '../../lib/parse-address.ts'
import type { AddressLists, IpDatabase } from './ip-facts.ts'
import { openIpDatabase } from './ip-facts.ts'

const asnFile = `${import.meta.dirname}/../../../data/asn.bin`
let database: IpDatabase

beforeAll(() => {
  if (!asnIsCurrent(asnFile)) compileAsn(asnFile)
  database = openIpDatabase({ asnFile })
})

/** Labels by hand. Where the data of the day is wrong about an address, the address is left out. */
const LABELLED: [address: string, countryCode: string, addressClass: string | undefined, what: string][] = [
  ['8.8.8.8', 'US', 'hosting', 'Google resolver'],
  ['223.5.5.5', 'CN', 'hosting', 'AliDNS'],
  ['77.88.8.8', 'RU', 'hosting', 'Yandex resolver'],
  ['52.95.110.1', 'US', 'hosting', 'AWS Oregon'],
  ['3.5.140.2', 'KR', 'hosting', 'AWS Seoul'],
  ['18.196.0.1', 'DE', 'hosting', 'AWS Frankfurt'],
  ['20.50.2.1', 'NL', 'hosting', 'Azure West Europe'],
  ['40.76.4.15', 'US', 'hosting', 'Azure East US'],
  ['35.198.0.1', 'BR', 'hosting', 'Google Cloud São Paulo'],
  ['34.141.0.1', 'DE', 'hosting', 'Google Cloud Frankfurt'],
  ['129.146.0.1', 'US', 'hosting', 'Oracle Phoenix'],
  ['159.89.0.1', 'DE', 'hosting', 'DigitalOcean Frankfurt'],
  ['45.33.32.156', 'US', 'hosting', 'Linode, scanme.nmap.org'],
  ['108.61.10.10', 'US', 'hosting', 'Vultr'],
  ['51.38.1.1', 'FR', 'hosting', 'OVH'],
  ['94.23.1.1', 'FR', 'hosting', 'OVH'],
  ['5.9.1.1', 'DE', 'hosting', 'Hetzner Falkenstein'],
  ['65.108.1.1', 'FI', 'hosting', 'Hetzner Helsinki'],
  ['51.15.1.1', 'NL', 'hosting', 'Scaleway Amsterdam'],
  ['163.172.1.1', 'FR', 'hosting', 'Scaleway Paris'],
  ['47.88.1.1', 'US', 'hosting', 'Alibaba Cloud'],
  ['119.28.1.1', 'HK', 'hosting', 'Tencent Cloud'],
  ['217.160.0.1', 'DE', 'hosting', 'IONOS'],
  ['195.206.105.1', 'CH', 'hosting', 'M247'],
  ['37.19.200.1', 'US', 'hosting', 'Datacamp'],
  ['2a01:4f8:c2c::1', 'DE', 'hosting', 'Hetzner'],
  ['2001:41d0:2::1', 'FR', 'hosting', 'OVH'],
  ['2600:1f18::1', 'US', 'hosting', 'AWS Virginia'],
  ['2a05:d014::1', 'DE', 'hosting', 'AWS Frankfurt'],
  ['2603:1030::1', 'US', 'hosting', 'Azure'],
  ['193.138.218.74', 'SE', 'vpn', 'Mullvad'],
  ['2a03:1b20::1', 'SE', 'vpn', 'Mullvad'],
  ['185.159.157.1', 'CH', 'vpn', 'Proton VPN'],
  ['2a07:b944::1', 'CH', 'vpn', 'Proton VPN'],
  ['104.28.1.1', 'CA', undefined, 'Cloudflare, WARP or relay or a server'],
  ['172.224.224.1', 'US', undefined, "Akamai, Apple's relay"],
  ['84.128.1.1', 'DE', 'residential', 'Deutsche Telekom'],
  ['2003:c0::1', 'DE', 'residential', 'Deutsche Telekom'],
  ['2a02:8108::1', 'DE', 'residential', 'Vodafone Kabel'],
  ['86.128.0.1', 'GB', 'residential', 'BT'],
  ['90.192.0.1', 'GB', 'residential', 'Sky'],
  ['81.2.69.142', 'GB', 'residential', 'Andrews & Arnold'],
  ['82.64.0.1', 'FR', 'residential', 'Free'],
  ['92.128.0.1', 'FR', 'residential', 'Orange'],
  ['79.0.0.1', 'IT', 'residential', 'TIM'],
  ['80.24.0.1', 'ES', 'residential', 'Telefónica'],
  ['178.140.0.1', 'RU', 'residential', 'Rostelecom'],
  ['73.1.1.1', 'US', 'residential', 'Comcast'],
  ['2601:1::1', 'US', 'residential', 'Comcast'],
  ['99.0.0.1', 'US', 'residential', 'AT&T'],
  ['24.48.0.1', 'CA', 'residential', 'Vidéotron'],
  ['201.6.0.1', 'BR', 'residential', 'Claro NET'],
  ['189.128.0.1', 'MX', 'residential', 'Telmex'],
  ['126.0.0.1', 'JP', 'residential', 'SoftBank BB'],
  ['175.192.0.1', 'KR', 'residential', 'KT'],
  ['101.160.0.1', 'AU', 'residential', 'Telstra'],
  ['117.192.0.1', 'IN', 'residential', 'BSNL'],
  ['172.32.1.1', 'US', 'mobile', 'T-Mobile USA'],
  ['2607:fb90::1', 'US', 'mobile', 'T-Mobile USA'],
  ['174.192.1.1', 'US', 'mobile', 'Verizon Wireless'],
  ['166.137.1.1', 'US', 'mobile', 'AT&T Mobility'],
  ['188.28.1.1', 'GB', 'mobile', 'Three UK'],
  ['49.36.0.1', 'IN', 'mobile', 'Jio'],
  ['2409:4000::1', 'IN', 'mobile', 'Jio'],
  ['106.192.0.1', 'IN', 'mobile', 'Airtel'],
  ['114.120.1.1', 'ID', 'mobile', 'Telkomsel'],
  ['197.210.1.1', 'NG', 'mobile', 'MTN Nigeria'],
  ['105.112.1.1', 'NG', 'mobile', 'Airtel Nigeria'],
  ['41.13.1.1', 'ZA', 'mobile', 'Vodacom'],
  ['178.176.1.1', 'RU', 'mobile', 'MegaFon'],
  ['49.96.1.1', 'JP', 'mobile', 'NTT DOCOMO'],
  ['223.32.1.1', 'KR', 'mobile', 'SK Telecom'],
  ['189.40.1.1', 'BR', 'mobile', 'TIM Brasil'],
  ['178.240.1.1', 'TR', 'mobile', 'Turkcell'],
  ['5.112.1.1', 'IR', 'mobile', 'Irancell'],
]

describe('what the offline data says', () => {
  test.each(LABELLED)('%s is in %s and %s: %s', (address, countryCode, addressClass) => {
    const facts = database.lookUp(address)
    expect([facts.countryCode, facts.class]).toEqual([countryCode, addressClass])
  })

  test('names the country and its zones', () => {
    expect(database.lookUp('84.128.1.1')).toMatchObject({
      country: 'Germany',
      timeZones: expect.arrayContaining(['Europe/Berlin']),
      asn: 3320,
      organization: 'Deutsche Telekom AG',
    })
  })

  test('without lists, Tor, relay and abuse are unknown, never false', () => {
    for (const [address] of LABELLED) {
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

  test('an IPv4-mapped address is the IPv4 address', () => {
    expect(database.lookUp('::ffff:8.8.8.8')).toEqual(database.lookUp('8.8.8.8'))
  })

  test('tells the days of its data', () => {
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
])('of %j nothing is known', (address) => {
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

  test('a seed stays true although the list lacks the address', () => {
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

  test('a reserved address is on no list', () => {
    const { lookUp } = withLists({ tor: { has: () => true }, abuser: { has: () => true } })
    expect(lookUp('10.0.0.1')).toMatchObject({ tor: undefined, abuser: undefined, class: undefined })
  })
})
