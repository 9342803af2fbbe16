import { describe, expect, test } from 'vitest'
import {
  type AddressLists,
  classify,
  isHostingName,
  type NetworkClass,
  networkClass,
} from './address-class.ts'
import { GATEWAY_SEEDS, HOSTING_SEEDS, SHARED_EDGE_SEEDS } from './hosting-seeds.ts'
import { MOBILE_SEEDS } from './mobile-seeds.ts'
import { VPN_SEEDS } from './vpn-seeds.ts'

const address = { family: 4, value: 0x08080808 } as const
const listed = { has: () => true }
const notListed = { has: () => false }

const HOME: NetworkClass = { hosting: false, vpn: undefined, mobile: undefined, relayEdge: false }
const PHONES: NetworkClass = { ...HOME, mobile: true }
const EDGE: NetworkClass = { ...HOME, hosting: undefined, relayEdge: true }
const DATA_CENTRE: NetworkClass = { ...HOME, hosting: true }

const answers = (network: NetworkClass | undefined, lists: AddressLists) => classify(address, network, lists)

describe('without a list the answer is never no', () => {
  test('everything is unknown for an address in no data', () => {
    expect(Object.values(answers(undefined, {})).every((answer) => answer === undefined)).toBe(true)
  })

  test('a list without the address says no', () => {
    const { hosting, vpn, tor, privacyRelay, abuser, mobile } = answers(undefined, {
      ...{ hosting: notListed, vpn: notListed, tor: notListed },
      ...{ privacyRelay: notListed, abuser: notListed, mobile: notListed },
    })
    expect([hosting, vpn, tor, privacyRelay, abuser, mobile]).toEqual(Array(6).fill(false))
  })
})

test('an incomplete list says yes or nothing', () => {
  const partOf = { has: () => undefined }
  expect(answers(HOME, { tor: partOf, abuser: partOf })).toMatchObject({ tor: undefined, abuser: undefined })
  expect(answers(EDGE, { privacyRelay: partOf, vpn: listed })).toMatchObject({ vpn: undefined })
})

describe('abuse lists count only for addresses of one visitor', () => {
  test.each([
    ['a home line', HOME, {}, true],
    ['a server', DATA_CENTRE, {}, true],
    ['a carrier of phones', PHONES, {}, undefined],
    ['a range of phones', HOME, { mobile: listed }, undefined],
    ['a relay', DATA_CENTRE, { privacyRelay: listed }, undefined],
    ['an edge that relays use', EDGE, {}, undefined],
    ['an edge that relays use, not on the list of today', EDGE, { privacyRelay: notListed }, undefined],
  ] as const)('%s', (_, network, lists, expected) => {
    expect(answers(network, { ...lists, abuser: listed }).abuser).toBe(expected)
  })

  test('a shared address that is not listed is a no', () => {
    expect(answers(PHONES, { abuser: notListed }).abuser).toBe(false)
  })
})

describe("VPN and data centre lists contain Apple's relay", () => {
  const both: AddressLists = { vpn: listed, hosting: listed }

  test('they are ignored for a relay address', () => {
    expect(answers(EDGE, { ...both, privacyRelay: listed })).toMatchObject({
      vpn: undefined,
      hosting: undefined,
    })
  })

  test('they are ignored on a shared edge while the relay list is missing', () => {
    expect(answers(EDGE, both)).toMatchObject({ vpn: undefined, hosting: undefined, privacyRelay: undefined })
  })

  test('with the relay list they count for the rest of the edge', () => {
    expect(answers(EDGE, { ...both, privacyRelay: notListed })).toMatchObject({ vpn: true, hosting: true })
  })

  test('elsewhere they count without the relay list', () => {
    expect(answers(HOME, both)).toMatchObject({ vpn: true, hosting: true })
  })
})

describe('the seeds', () => {
  const seeds = [...HOSTING_SEEDS, ...SHARED_EDGE_SEEDS, ...GATEWAY_SEEDS, ...MOBILE_SEEDS, ...VPN_SEEDS]

  test('no network is listed twice', () => {
    const asns = seeds.flatMap(([, ...numbers]) => numbers)
    expect(asns.filter((asn, index) => asns.indexOf(asn) !== index)).toEqual([])
  })

  test('every number is a public autonomous system number', () => {
    for (const asn of seeds.flatMap(([, ...numbers]) => numbers)) {
      expect(Number.isInteger(asn) && asn > 0 && asn < 4_200_000_000).toBe(true)
      expect(asn >= 64_496 && asn <= 131_071).toBe(false)
    }
  })

  test.each([7018, 3320, 3215, 2856, 7922, 701, 174, 3356, 6939, 714, 9808, 17676])(
    'AS%i, which serves homes or offices, is in none',
    (asn) => {
      expect(seeds.flatMap(([, ...numbers]) => numbers)).not.toContain(asn)
    },
  )
})

describe('networkClass', () => {
  test('a seed wins over the name of the organisation', () => {
    expect(networkClass({ asn: 16509, organization: '' })).toMatchObject({ hosting: true })
    expect(networkClass({ asn: 29465, organization: 'MTN Hosting Ltd' })).toMatchObject({
      hosting: false,
      mobile: true,
    })
  })

  test('an unknown network is hosting only by its name', () => {
    expect(networkClass({ asn: 4_199_999_999, organization: 'Example Hosting LLC' }).hosting).toBe(true)
    expect(networkClass({ asn: 4_199_999_999, organization: 'Example Broadband' }).hosting).toBe(false)
  })

  test('VPN and mobile are unknown for networks that are not seeds', () => {
    const home = networkClass({ asn: 3320, organization: 'Deutsche Telekom AG' })
    expect(home).toEqual({ hosting: false, vpn: undefined, mobile: undefined, relayEdge: false })
  })

  test('the network of a VPN company is hosting, too', () => {
    expect(networkClass({ asn: 39351, organization: '31173 Services AB' })).toMatchObject({
      vpn: true,
      hosting: true,
    })
  })

  test.each([13335, 36183, 54113, 22616, 55256])(
    'AS%i carries people behind relays or gateways and servers alike, so nothing is said',
    (asn) => {
      const facts = networkClass({ asn, organization: 'Edge Hosting LLC' })
      expect(facts).toEqual({ hosting: undefined, vpn: undefined, mobile: undefined, relayEdge: true })
    },
  )
})

test.each([
  'Hosting Ukraine LTD',
  'A2 Hosting, Inc.',
  'ZAP-Hosting GmbH',
  'WEBHOSTING.NET, Inc.',
  'HostRoyale Technologies Pvt Ltd',
  'Host Europe GmbH',
  'OOO VPS',
  'Colocation America Corporation',
  'UK Dedicated Servers Limited',
  'UnReal Servers, LLC',
  'Yandex.Cloud LLC',
  'NAVER Cloud Corp.',
  'Tencent Cloud Computing (Beijing) Co., Ltd',
  'PT Cloud Hosting Indonesia',
  'Scala Data Centers',
  'SkyLink Data Center BV',
  'True Internet Data Center Company Limited',
])('%s is a hosting company', (name) => {
  expect(isHostingName(name)).toBe(true)
})

test.each([
  // Homes, phones and public Wi-Fi
  'The Cloud Networks Limited',
  'AFRIHOST SP (PTY) LTD',
  'FIBERHOST S.A.',
  'Cloud Telecom Eireli',
  'Cloud Net Cable and Telecom Inc.',
  'Cloud 9 Wireless LLC',
  'Cloud South',
  'White Cloud Communications US, LLC',
  'SIANET Datacenter e Provedores Ltda-ME',
  'Hotwire Communications',
  'Istqrar for Servers Services Ltd',
  'VPS Broadband And Telecommunications Pvt',
  // Offices
  'American International Group Data Center',
  'State Data Center - Hanoi Department of Information',
  'NB-PEI Educational Computer Network',
  'San Diego Supercomputer Center',
  'BBDO-COLO - BBDO NY',
  // The relay's edge, which is decided elsewhere
  'Cloudflare, Inc.',
  'Comcast Cable Communications, LLC',
  'Deutsche Telekom AG',
  '',
])('%s is not a hosting company', (name) => {
  expect(isHostingName(name)).toBe(false)
})
