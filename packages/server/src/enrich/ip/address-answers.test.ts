import { describe, expect, test } from 'vitest'
import { type AddressLists, classify } from './address-answers.ts'
import type { NetworkClass } from './network-class.ts'

const address = { family: 4, value: 0x08080808 } as const
const listed = { has: () => true }
const notListed = { has: () => false }

const HOME: NetworkClass = { hosting: false, vpn: undefined, mobile: undefined, relayEdge: false }
const PHONES: NetworkClass = { ...HOME, mobile: true }
const EDGE: NetworkClass = { ...HOME, hosting: undefined, relayEdge: true }
const DATA_CENTRE: NetworkClass = { ...HOME, hosting: true }

const answers = (network: NetworkClass | undefined, lists: AddressLists) => classify(address, network, lists)

describe('without a list nothing is denied', () => {
  test('of an address in no data nothing is known', () => {
    expect(Object.values(answers(undefined, {})).every((answer) => answer === undefined)).toBe(true)
  })

  test('a list that lacks the address says no', () => {
    const { hosting, vpn, tor, privacyRelay, abuser, mobile } = answers(undefined, {
      ...{ hosting: notListed, vpn: notListed, tor: notListed },
      ...{ privacyRelay: notListed, abuser: notListed, mobile: notListed },
    })
    expect([hosting, vpn, tor, privacyRelay, abuser, mobile]).toEqual(Array(6).fill(false))
  })
})

test('a list of which parts are missing says yes or nothing', () => {
  const partOf = { has: () => undefined }
  expect(answers(HOME, { tor: partOf, abuser: partOf })).toMatchObject({ tor: undefined, abuser: undefined })
  expect(answers(EDGE, { privacyRelay: partOf, vpn: listed })).toMatchObject({ vpn: undefined })
})

describe('a bad name counts only where it is one visitor who has it', () => {
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

  test('on a shared address, too, not being listed is no', () => {
    expect(answers(PHONES, { abuser: notListed }).abuser).toBe(false)
  })
})

describe("lists of VPNs and data centres hold Apple's relay", () => {
  const both: AddressLists = { vpn: listed, hosting: listed }

  test('on a relay address they say nothing', () => {
    expect(answers(EDGE, { ...both, privacyRelay: listed })).toMatchObject({
      vpn: undefined,
      hosting: undefined,
    })
  })

  test('nor on an edge that relays use, while the list of relays is missing', () => {
    expect(answers(EDGE, both)).toMatchObject({ vpn: undefined, hosting: undefined, privacyRelay: undefined })
  })

  test('with that list they speak of the rest of the edge', () => {
    expect(answers(EDGE, { ...both, privacyRelay: notListed })).toMatchObject({ vpn: true, hosting: true })
  })

  test('elsewhere they need no list of relays', () => {
    expect(answers(HOME, both)).toMatchObject({ vpn: true, hosting: true })
  })
})
