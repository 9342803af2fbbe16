import { describe, expect, test } from 'vitest'
import { HOSTING_SEEDS, SHARED_EDGE_SEEDS } from './hosting-seeds.ts'
import { MOBILE_SEEDS } from './mobile-seeds.ts'
import { networkClass } from './network-class.ts'
import { VPN_SEEDS } from './vpn-seeds.ts'

describe('the seeds', () => {
  const seeds = [...HOSTING_SEEDS, ...SHARED_EDGE_SEEDS, ...MOBILE_SEEDS, ...VPN_SEEDS]

  test('no network is named twice, so none is of two classes', () => {
    const asns = seeds.flatMap(([, ...numbers]) => numbers)
    expect(asns.filter((asn, index) => asns.indexOf(asn) !== index)).toEqual([])
  })

  test('every number is a public autonomous system number', () => {
    for (const asn of seeds.flatMap(([, ...numbers]) => numbers)) {
      expect(Number.isInteger(asn) && asn > 0 && asn < 4_200_000_000).toBe(true)
      expect(asn >= 64_496 && asn <= 131_071).toBe(false)
    }
  })

  test.each([7018, 3320, 3215, 2856, 7922, 701, 174, 3356, 6939, 22616, 714, 9808, 17676])(
    'AS%i, which serves homes or offices, is in none',
    (asn) => {
      expect(seeds.flatMap(([, ...numbers]) => numbers)).not.toContain(asn)
    },
  )
})

describe('networkClass', () => {
  test('a seed decides whatever the organisation is called', () => {
    expect(networkClass({ asn: 16509, organization: '' })).toMatchObject({ hosting: true })
    expect(networkClass({ asn: 29465, organization: 'MTN Hosting Ltd' })).toMatchObject({
      hosting: false,
      mobile: true,
    })
  })

  test('an unknown network is hosting by its name or not at all', () => {
    expect(networkClass({ asn: 4_199_999_999, organization: 'Example Hosting LLC' }).hosting).toBe(true)
    expect(networkClass({ asn: 4_199_999_999, organization: 'Example Broadband' }).hosting).toBe(false)
  })

  test('a seed list does not prove that a network carries no VPN and no phones', () => {
    const home = networkClass({ asn: 3320, organization: 'Deutsche Telekom AG' })
    expect(home).toEqual({ hosting: false, vpn: undefined, mobile: undefined, relayEdge: false })
  })

  test('the own network of a VPN company is a data centre as well', () => {
    expect(networkClass({ asn: 39351, organization: '31173 Services AB' })).toMatchObject({
      vpn: true,
      hosting: true,
    })
  })

  test.each([13335, 36183, 54113])(
    'AS%i carries relay users and servers alike, so nothing is said',
    (asn) => {
      const facts = networkClass({ asn, organization: 'Edge Hosting LLC' })
      expect(facts).toEqual({ hosting: undefined, vpn: undefined, mobile: undefined, relayEdge: true })
    },
  )
})
