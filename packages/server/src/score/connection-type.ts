import type { DetectionFlags } from '@inkling/contract'
import type { Identified } from '../visit/identification.ts'

/** How the visitor is connected; hosting networks are reported as `proxy`. Display only: flags decide. */
export function connectionType({ ip }: Identified, flags: DetectionFlags): string {
  if (flags.tor) return 'tor'
  if (flags.privacy_relay) return 'privacy_relay'
  if (flags.vpn || ip.vpn) return 'vpn'
  if (flags.browser_vpn_proxy) return 'browser_vpn_proxy'
  if (flags.proxy || flags.datacenter_ip || ip.hosting) return 'proxy'
  if (ip.mobile) return 'mobile'
  // Without a network for the address nothing is known of it.
  return ip.asn === undefined ? 'unknown' : 'direct'
}
