import type { DetectionFlag } from './detection-flags.ts'

export interface CatalogueEntry {
  /** Points it adds to the score. */
  weight: number
  /** The flag it raises, if any. */
  flag?: DetectionFlag
  /** What a person reads as its name. */
  title: string
}

/** The score is never above 100; this value marks a visit over the ingest rate limit. */
export const RATE_LIMIT_SCORE = 999
export const RATE_LIMIT_DESCRIPTION = 'User has been banned 1H, to many requests'

/** Every signal with its default weight; 0 is informational. */
export const SIGNAL_CATALOGUE = {
  tor: { weight: 99, flag: 'tor', title: 'Tor network' },
  javascript_disabled: { weight: 90, flag: 'javascript_disabled', title: 'JavaScript is disabled' },
  os_mismatch: { weight: 60, flag: 'os_mismatch', title: 'Operating system contradicts the network' },
  antidetect_browser: { weight: 60, flag: 'anti_detect_browser', title: 'Anti-detect browser' },
  browser_automation: { weight: 60, flag: 'browser_automation', title: 'Browser automation' },
  stun_not_checked: { weight: 30, flag: 'stun_not_checked', title: 'Network check missing' },
  stun_late_correction: { weight: -30, title: 'Network check passed late' },
  os_not_detected: { weight: 30, flag: 'os_not_detected', title: 'Operating system not detected' },
  browser_vpn_proxy: { weight: 30, flag: 'browser_vpn_proxy', title: 'VPN or proxy built into the browser' },
  vpn: { weight: 15, flag: 'vpn', title: 'VPN' },
  privacy_relay: { weight: 15, flag: 'privacy_relay', title: 'Privacy relay' },
  proxy: { weight: 10, flag: 'proxy', title: 'Proxy' },
  datacenter_ip: { weight: 10, flag: 'datacenter_ip', title: 'Data-center address' },
  abuser: { weight: 10, flag: 'abuser', title: 'Address with a bad reputation' },
  timezone_mismatch: {
    weight: 10,
    flag: 'timezone_mismatch',
    title: 'Browser clock contradicts the address',
  },
  sticky_verdict: { weight: 45, flag: 'anti_detect_browser', title: 'Earlier verdict on this device' },
  ip_mismatch: { weight: 0, flag: 'ip_mismatch', title: 'Two different addresses' },
  incognito: { weight: 0, flag: 'incognito', title: 'Private window' },
  check_incomplete: { weight: 0, flag: 'check_incomplete', title: 'Browser check incomplete' },
} as const satisfies Record<string, CatalogueEntry>

export type SignalName = keyof typeof SIGNAL_CATALOGUE

const DESCRIPTION_NAMES: readonly (readonly [prefix: string, name: string])[] = [
  ['Is tor', 'tor'],
  ['JavaScript disabled', 'javascript_disabled'],
  ['Os_mismatch', 'os_mismatch'],
  ['Antidetect browser', 'antidetect_browser'],
  ['Port scan routed via proxy (antidetect browser pattern)', 'proxy_routed_antidetect'],
  ['Browser Automation', 'browser_automation'],
  ['Stun is not checked', 'stun_not_checked'],
  ['Stun passed (late arrival, corrected)', 'stun_late_correction'],
  ['UA OS is not detected', 'os_not_detected'],
  ['Network OS is not detected', 'os_not_detected'],
  ['Browser VPN/Proxy', 'browser_vpn_proxy'],
  ['Is VPN', 'vpn'],
  ['Is privacy relay', 'privacy_relay'],
  ['Is proxy', 'proxy'],
  ['Is datacenter', 'datacenter_ip'],
  ['Is abuser', 'abuser'],
  ['Browser timezone ≠ IP-timezone', 'timezone_mismatch'],
  [RATE_LIMIT_DESCRIPTION, 'rate_limited'],
]

/** The signal name of a `score_details` description, as existing clients derive it. */
export function signalNameOf(description: string): string {
  const known = DESCRIPTION_NAMES.find(([prefix]) => description.startsWith(prefix))
  if (known) return known[1]
  const head = description.split('(', 1)[0] ?? ''
  return head
    .toLowerCase()
    .replaceAll('≠', '_neq_')
    .replace(/[\s\-/]+/g, '_')
    .replace(/[^\p{L}\p{N}_]/gu, '')
    .replace(/_+/g, '_')
    .replace(/^_|_$/g, '')
}
