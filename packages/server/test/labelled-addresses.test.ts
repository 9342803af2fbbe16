import { beforeAll, describe, expect, test } from 'vitest'
import { asnIsCurrent, compileAsn } from '../build/compile-asn.ts'
import { type AddressClass, type IpFacts, openIpDatabase } from '../src/enrich/ip/ip-facts.ts'
import { formatAddress } from '../src/lib/address.ts'
import { LABELLED_ADDRESSES, type LabelledAddress } from './labelled-addresses.ts'

const ASN_FILE = `${import.meta.dirname}/../data/asn.bin`

/** The required accuracy. */
const CLASS_SHARE_MIN = 0.95
const COUNTRY_SHARE_MIN = 0.92

interface Answered extends LabelledAddress {
  facts: IpFacts
}
let answered: Answered[]

const labelOf = new Map(LABELLED_ADDRESSES.map((label) => [label.address, label]))
const listOf = (label: AddressClass) => ({
  has: (address: Parameters<typeof formatAddress>[0]) => labelOf.get(formatAddress(address))?.class === label,
})

beforeAll(() => {
  if (!asnIsCurrent(ASN_FILE)) compileAsn(ASN_FILE)
  const { lookUp } = openIpDatabase({
    asnFile: ASN_FILE,
    lists: {
      tor: listOf('tor'),
      privacyRelay: {
        ...listOf('privacy_relay'),
        countryCodeOf: (address) => labelOf.get(formatAddress(address))?.countryCode,
      },
    },
  })
  answered = LABELLED_ADDRESSES.map((label) => ({ ...label, facts: lookUp(label.address) }))
})

/** The wrong answers as lines, for the test's output. */
const show = ({ address, source, countryCode, class: label, facts }: Answered): string =>
  `${address} (${source}, ${countryCode} ${label}): ${facts.countryCode} ${facts.class}, AS${facts.asn} ${facts.organization}`

function expectShare(right: (answer: Answered) => boolean, atLeast: number): void {
  const misses = answered.filter((answer) => !right(answer))
  expect(1 - misses.length / answered.length, misses.map(show).join('\n')).toBeGreaterThanOrEqual(atLeast)
}

describe(`of ${LABELLED_ADDRESSES.length} labelled addresses`, () => {
  test('there are 200 different ones, from all continents, IPv6 included', () => {
    expect(LABELLED_ADDRESSES.length).toBeGreaterThanOrEqual(200)
    expect(labelOf.size).toBe(LABELLED_ADDRESSES.length)
    expect(new Set(LABELLED_ADDRESSES.map(({ countryCode }) => countryCode)).size).toBeGreaterThan(60)
    expect(LABELLED_ADDRESSES.filter(({ address }) => address.includes(':')).length).toBeGreaterThan(40)
  })

  test('the class is right for 95 %', () => {
    expectShare((answer) => answer.facts.class === answer.class, CLASS_SHARE_MIN)
  })

  test('the country is right for 92 %', () => {
    expectShare((answer) => answer.facts.countryCode === answer.countryCode, COUNTRY_SHARE_MIN)
  })

  test('no home line or phone is classified as a data centre, VPN, Tor or relay', () => {
    const people = answered.filter((answer) => answer.class === 'residential' || answer.class === 'mobile')
    const accused = people.filter(
      ({ facts }) => facts.hosting || facts.vpn || facts.tor || facts.privacyRelay || facts.abuser,
    )
    expect(accused.map(show)).toEqual([])
  })
})
