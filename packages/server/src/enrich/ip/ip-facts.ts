import type { ParsedAddress } from '../../lib/parse-address.ts'
import { formatAddress, parseAddress } from '../../lib/parse-address.ts'
import { isPublicAddress } from '../../lib/public-address.ts'
import type { Network } from './asn-table.ts'
import { openAsnTable } from './asn-table.ts'
import { countryOfCode } from './country-names.ts'
import { bundledCountryFile, openCountryTable } from './country-table.ts'
import type { NetworkClass } from './network-class.ts'
import { networkClass } from './network-class.ts'

export type AddressClass = 'hosting' | 'vpn' | 'mobile' | 'tor' | 'privacy_relay' | 'residential'

export interface IpFacts {
  countryCode: string | undefined
  /** In English; empty when unknown. */
  country: string
  /** IANA names of every zone of the country: an address says the country, seldom the town. */
  timeZones: readonly string[]
  asn: number | undefined
  organization: string | undefined
  /** What the address mostly is, the first of these that fits; undefined without data. */
  class: AddressClass | undefined
  /** Each of these is undefined when the loaded data cannot tell. */
  hosting: boolean | undefined
  vpn: boolean | undefined
  tor: boolean | undefined
  privacyRelay: boolean | undefined
  abuser: boolean | undefined
  mobile: boolean | undefined
}

/** A whole list of addresses of one kind, such as all Tor exits: not being on it means something. */
export interface AddressList {
  has(address: ParsedAddress): boolean
}

/** Lists from feeds. A feed that refreshes puts its new list here; one that is too old deletes it. */
export type AddressLists = {
  [Kind in 'tor' | 'privacyRelay' | 'vpn' | 'hosting' | 'mobile' | 'abuser']?: AddressList | undefined
}

export interface IpDatabase {
  /** Never throws: a text that is no public address yields facts that are all unknown. */
  lookUp(address: string): IpFacts
  /** The days of the data, `YYYY-MM-DD`. */
  dataDate: { asn: string | undefined; country: string | undefined }
}

export interface IpDatabaseOptions {
  /** Written by `build/compile-asn.ts`. */
  asnFile: string
  /** A country database in MMDB format; the bundled one when left out. */
  countryFile?: string | undefined
  lists?: AddressLists | undefined
}

export function openIpDatabase({ asnFile, countryFile, lists = {} }: IpDatabaseOptions): IpDatabase {
  const networks = openAsnTable(asnFile)
  const countries = openCountryTable(countryFile ?? bundledCountryFile())
  const classes = new Map<number, NetworkClass>()

  const classOf = (network: Network): NetworkClass => {
    let known = classes.get(network.asn)
    if (!known) {
      known = networkClass(network)
      classes.set(network.asn, known)
    }
    return known
  }

  return {
    dataDate: { asn: networks.dataDate, country: countries.dataDate },
    lookUp(text) {
      const address = parseAddress(text)
      if (!address || !isPublicAddress(address)) return UNKNOWN
      const network = networks.lookUp(address)
      const code = countries.lookUp(formatAddress(address))
      const country = code === undefined ? undefined : countryOfCode(code)
      const answers = classify(address, network && classOf(network), lists)
      return {
        countryCode: country && code,
        country: country?.name ?? '',
        timeZones: country?.timeZones ?? [],
        asn: network?.asn,
        organization: network?.organization,
        class: mainClass(answers, network !== undefined),
        ...answers,
      }
    },
  }
}

type Answers = Pick<IpFacts, 'hosting' | 'vpn' | 'tor' | 'privacyRelay' | 'abuser' | 'mobile'>

const UNKNOWN: IpFacts = Object.freeze({
  countryCode: undefined,
  country: '',
  timeZones: Object.freeze([]),
  asn: undefined,
  organization: undefined,
  class: undefined,
  hosting: undefined,
  vpn: undefined,
  tor: undefined,
  privacyRelay: undefined,
  abuser: undefined,
  mobile: undefined,
})

/** Either source may say yes; no is said by a list, or by the network where it can tell. */
function classify(address: ParsedAddress, network: NetworkClass | undefined, lists: AddressLists): Answers {
  return {
    hosting: either(network?.hosting, lists.hosting?.has(address)),
    vpn: either(network?.vpn, lists.vpn?.has(address)),
    tor: lists.tor?.has(address),
    privacyRelay: lists.privacyRelay?.has(address),
    abuser: lists.abuser?.has(address),
    mobile: either(network?.mobile, lists.mobile?.has(address)),
  }
}

const either = (first: boolean | undefined, second: boolean | undefined): boolean | undefined =>
  first || second || (first ?? second)

/**
 * The order matters: lists of VPNs hold nearly all of Apple's relay, and lists of data centres hold
 * nearly all VPNs and half of Tor.
 */
function mainClass(answers: Answers, networkKnown: boolean): AddressClass | undefined {
  if (answers.tor) return 'tor'
  if (answers.privacyRelay) return 'privacy_relay'
  if (answers.vpn) return 'vpn'
  if (answers.hosting) return 'hosting'
  if (answers.mobile) return 'mobile'
  return networkKnown && answers.hosting === false ? 'residential' : undefined
}
