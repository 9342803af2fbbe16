import type { ParsedAddress } from '../../lib/address.ts'
import type { AutonomousSystem } from './asn-table.ts'
import { GATEWAY_SEEDS, HOSTING_SEEDS, networkSet, SHARED_EDGE_SEEDS } from './hosting-seeds.ts'
import { MOBILE_SEEDS } from './mobile-seeds.ts'
import { VPN_SEEDS } from './vpn-seeds.ts'

export type AddressClass = 'hosting' | 'vpn' | 'mobile' | 'tor' | 'privacy_relay' | 'residential'

/** Each is undefined when the loaded data cannot tell. */
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
  /** False only if the list is complete; undefined while parts of it are missing. */
  has(address: ParsedAddress): boolean | undefined
}

/** The addresses of a relay that keeps its visitors' countries, whatever the location of its servers. */
export interface RelayList extends AddressList {
  /** ISO 3166 code of the country that the relay publishes for the address, if any. */
  countryCodeOf?(address: ParsedAddress): string | undefined
}

/** Lists from feeds, replaced when a feed is refreshed and removed when it is too old. */
export interface AddressLists {
  tor?: AddressList | undefined
  privacyRelay?: RelayList | undefined
  vpn?: AddressList | undefined
  hosting?: AddressList | undefined
  mobile?: AddressList | undefined
  abuser?: AddressList | undefined
}

/**
 * Combines what the network and the lists say of an address. Either may say yes, and either may say no where it can
 * tell. Two kinds of entries are ignored: VPN and data centre lists contain most of Apple's relay, and abuse lists
 * say nothing of one visitor at an address that a relay or carrier shares among many.
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

/** A yes that has an innocent explanation is unknown. */
const unless = (explained: boolean, answer: boolean | undefined): boolean | undefined =>
  answer && explained ? undefined : answer

/**
 * The first class that applies. The order matters: VPN lists contain nearly all of Apple's relay, and data centre
 * lists contain nearly all VPNs and half of Tor.
 */
export function mainClass(answers: AddressAnswers, networkKnown: boolean): AddressClass | undefined {
  if (answers.tor) return 'tor'
  if (answers.privacyRelay) return 'privacy_relay'
  if (answers.vpn) return 'vpn'
  if (answers.hosting) return 'hosting'
  if (answers.mobile) return 'mobile'
  return networkKnown && answers.hosting === false ? 'residential' : undefined
}

/** What the network alone says of its addresses; undefined means that it cannot tell. */
export interface NetworkClass {
  hosting: boolean | undefined
  /** Never false, because the seeds are incomplete. */
  vpn: true | undefined
  mobile: true | undefined
  /**
   * Whether people leave from this network through what is not theirs: relays such as Apple's, whose list may be missing, or
   * gateways of companies.
   */
  relayEdge: boolean
}

const hosting = networkSet(HOSTING_SEEDS)
const sharedEdge = networkSet([...SHARED_EDGE_SEEDS, ...GATEWAY_SEEDS])
const mobile = networkSet(MOBILE_SEEDS)
const vpn = networkSet(VPN_SEEDS)

export function networkClass({ asn, organization }: AutonomousSystem): NetworkClass {
  if (mobile.has(asn)) return { hosting: false, vpn: undefined, mobile: true, relayEdge: false }
  if (sharedEdge.has(asn)) return { hosting: undefined, vpn: undefined, mobile: undefined, relayEdge: true }
  const isVpn = vpn.has(asn) || undefined
  // A VPN company's network consists of servers, whatever the name of the company.
  return {
    hosting: isVpn ?? (hosting.has(asn) || isHostingName(organization)),
    vpn: isVpn,
    mobile: undefined,
    relayEdge: false,
  }
}

const COMPANY = '(?:inc|llc|ltd|limited|gmbh|ag|b\\.?v|s\\.?a|s\\.?r\\.?l|ab|oy|oü|pte|pty|sdn|corp)'

/** Patterns in the names of hosting companies. */
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

/** Patterns in the names of access providers and public bodies, whose users are people. They take precedence. */
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

/** Whether the organisation's name alone shows that it is a hosting company. Strict, to avoid false positives. */
export const isHostingName = (organization: string): boolean =>
  hostingName.test(organization) && !accessName.test(organization)
