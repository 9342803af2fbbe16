import type { ParsedAddress } from '../../lib/parse-address.ts'
import type { Network } from './asn-table.ts'
import { HOSTING_SEEDS, networkSet, SHARED_EDGE_SEEDS } from './hosting-seeds.ts'
import { MOBILE_SEEDS } from './mobile-seeds.ts'
import { VPN_SEEDS } from './vpn-seeds.ts'

export type AddressClass = 'hosting' | 'vpn' | 'mobile' | 'tor' | 'privacy_relay' | 'residential'

/** Each of these is undefined when the loaded data cannot tell. */
export interface AddressAnswers {
  hosting: boolean | undefined
  vpn: boolean | undefined
  tor: boolean | undefined
  privacyRelay: boolean | undefined
  abuser: boolean | undefined
  mobile: boolean | undefined
}

/** A list of addresses of one kind, such as all Tor exits. */
export interface AddressList {
  /** False only of a whole list, where not being on it means something; undefined while parts are missing. */
  has(address: ParsedAddress): boolean | undefined
}

/** The addresses of a relay, which keeps its visitors' countries: where its own machines stand says nothing. */
export interface RelayList extends AddressList {
  /** ISO 3166 code of the country that the relay states for the address; undefined when it states none. */
  countryCodeOf?(address: ParsedAddress): string | undefined
}

/** Lists from feeds. A feed that refreshes puts its new list here; one that is too old deletes it. */
export interface AddressLists {
  tor?: AddressList | undefined
  privacyRelay?: RelayList | undefined
  vpn?: AddressList | undefined
  hosting?: AddressList | undefined
  mobile?: AddressList | undefined
  abuser?: AddressList | undefined
}

/**
 * Either source may say yes; no is said by a list, or by the network where it can tell. Two kinds of listing
 * count for nothing: lists of VPNs and data centres hold most of Apple's relay, and a bad name sticks to an
 * address that a relay or a carrier shares among strangers.
 */
export function classify(
  address: ParsedAddress,
  network: NetworkClass | undefined,
  lists: AddressLists,
): AddressAnswers {
  const privacyRelay = lists.privacyRelay?.has(address)
  const mayBeRelay = privacyRelay ?? network?.relayEdge ?? false
  const mobile = either(network?.mobile, lists.mobile?.has(address))
  const isShared = privacyRelay === true || network?.relayEdge === true || mobile === true
  return {
    hosting: either(network?.hosting, unless(mayBeRelay, lists.hosting?.has(address))),
    vpn: either(network?.vpn, unless(mayBeRelay, lists.vpn?.has(address))),
    tor: lists.tor?.has(address),
    privacyRelay,
    abuser: unless(isShared, lists.abuser?.has(address)),
    mobile,
  }
}

const either = (first: boolean | undefined, second: boolean | undefined): boolean | undefined =>
  first || second || (first ?? second)

/** A yes that something innocent explains is no answer. */
const unless = (explained: boolean, answer: boolean | undefined): boolean | undefined =>
  answer && explained ? undefined : answer

/**
 * The order matters: lists of VPNs hold nearly all of Apple's relay, and lists of data centres hold
 * nearly all VPNs and half of Tor.
 */
export function mainClass(answers: AddressAnswers, networkKnown: boolean): AddressClass | undefined {
  if (answers.tor) return 'tor'
  if (answers.privacyRelay) return 'privacy_relay'
  if (answers.vpn) return 'vpn'
  if (answers.hosting) return 'hosting'
  if (answers.mobile) return 'mobile'
  return networkKnown && answers.hosting === false ? 'residential' : undefined
}

/** What the network alone says of an address; undefined is "cannot tell". */
export interface NetworkClass {
  hosting: boolean | undefined
  /** The seeds are incomplete, so a miss proves nothing. */
  vpn: true | undefined
  mobile: true | undefined
  /** A relay such as Apple's leaves the internet here, so that without its list any address may be one. */
  relayEdge: boolean
}

const hosting = networkSet(HOSTING_SEEDS)
const sharedEdge = networkSet(SHARED_EDGE_SEEDS)
const mobile = networkSet(MOBILE_SEEDS)
const vpn = networkSet(VPN_SEEDS)

export function networkClass({ asn, organization }: Network): NetworkClass {
  if (mobile.has(asn)) return { hosting: false, vpn: undefined, mobile: true, relayEdge: false }
  if (sharedEdge.has(asn)) return { hosting: undefined, vpn: undefined, mobile: undefined, relayEdge: true }
  const isVpn = vpn.has(asn) || undefined
  // A VPN company's own network is machines in a data centre, whatever the company is called.
  return {
    hosting: isVpn ?? (hosting.has(asn) || isHostingName(organization)),
    vpn: isVpn,
    mobile: undefined,
    relayEdge: false,
  }
}

const COMPANY = '(?:inc|llc|ltd|limited|gmbh|ag|b\\.?v|s\\.?a|s\\.?r\\.?l|ab|oy|oü|pte|pty|sdn|corp)'

/** What a company calls itself when renting out machines is its trade. */
const HOSTING_WORDS = [
  'hosting\\b',
  '\\bweb ?host\\b',
  '\\bhost ?(?:europe|gator|papa|winds|dime|royale|hatch|sailor)\\b',
  '\\bvps\\b',
  '\\bcolocation\\b',
  '\\bdedicated servers?\\b',
  `\\bservers,? ${COMPANY}\\b`,
  '\\bcloud (?:computing|hosting|host|technolog|infrastructure|solutions|services|platform|data ?cent)',
  `\\bcloud,? ${COMPANY}\\b`,
  '\\bdata ?cent(?:er|re)s\\b',
  `\\bdata ?cent(?:er|re),? ${COMPANY}\\b`,
  '\\binternet data ?cent(?:er|re)\\b',
]

/** Words of those who (also) connect people. They win: an office called a data centre is no crime. */
const ACCESS_WORDS = [
  'telecom',
  'telekom',
  'communications',
  'broadband',
  'wireless',
  'mobile',
  'satellite',
  'cable',
  'fib(?:er|re|ra)\\b',
  'internet service',
  'provedor',
  '\\bisp\\b',
  'universit',
  'school',
  'college',
  'governm',
  'ministr',
  '\\bstate\\b',
  'county',
]

const hostingName = new RegExp(HOSTING_WORDS.join('|'), 'i')
const accessName = new RegExp(ACCESS_WORDS.join('|'), 'i')

/** Whether an organisation's name alone says that its addresses are rented machines. Strict on purpose. */
export const isHostingName = (organization: string): boolean =>
  hostingName.test(organization) && !accessName.test(organization)
