import type { ParsedAddress } from '../../lib/parse-address.ts'
import type { NetworkClass } from './network-class.ts'

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
