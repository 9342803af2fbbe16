import type { Network } from './asn-table.ts'
import { HOSTING_SEEDS, SHARED_EDGE_SEEDS } from './hosting-seeds.ts'
import { MOBILE_SEEDS } from './mobile-seeds.ts'
import { networkSet } from './network-set.ts'
import { isHostingName } from './organization-rules.ts'
import { VPN_SEEDS } from './vpn-seeds.ts'

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
