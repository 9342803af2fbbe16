import { z } from 'zod'

/**
 * The detection flags in wire order, each with the History column that carries it and what it says.
 * `ip_mismatch` and `browser_vpn_proxy` have no column of their own: clients read the first from an
 * informational score entry, the second from `connection_type`.
 */
export const DETECTION_FLAGS = [
  { flag: 'vpn', column: 'is_vpn', meaning: 'A VPN, found by checks that agree' },
  { flag: 'privacy_relay', column: 'is_privacy_relay', meaning: 'A privacy relay of the browser or system' },
  {
    flag: 'browser_vpn_proxy',
    column: null,
    meaning: 'A VPN or proxy built into the browser or an extension',
  },
  { flag: 'tor', column: 'is_tor', meaning: 'The Tor network' },
  { flag: 'proxy', column: 'is_proxy', meaning: 'A proxy' },
  {
    flag: 'datacenter_ip',
    column: 'is_datacenter',
    meaning: 'An address of a data center or hosting network',
  },
  { flag: 'abuser', column: 'is_abuser', meaning: 'An address with a bad reputation' },
  {
    flag: 'os_mismatch',
    column: 'is_os_mismatch',
    meaning: 'The operating system contradicts the network stack',
  },
  { flag: 'os_not_detected', column: 'is_os_not_detected', meaning: 'No operating system could be told' },
  {
    flag: 'timezone_mismatch',
    column: 'is_timezone_mismatch',
    meaning: 'The browser clock contradicts the address',
  },
  {
    flag: 'anti_detect_browser',
    column: 'is_antidetect',
    meaning: 'A browser made to look like another one',
  },
  { flag: 'browser_automation', column: 'is_browser_automation', meaning: 'A browser driven by a program' },
  { flag: 'ip_mismatch', column: null, meaning: 'A leaked address differs from the public one' },
  { flag: 'incognito', column: 'is_incognito', meaning: 'A private window' },
  {
    flag: 'search_bot',
    column: 'is_search_bot',
    meaning: 'A verified search-engine crawler; always scored 0',
  },
  {
    flag: 'suspicious_paid_click',
    column: 'is_suspicious_paid_click',
    meaning: 'A paid click with a score of 60 or more',
  },
  { flag: 'javascript_disabled', column: 'is_js_disabled', meaning: 'No JavaScript ran' },
  { flag: 'stun_not_checked', column: 'is_stun_not_checked', meaning: 'The network check did not happen' },
  { flag: 'check_incomplete', column: 'check_incomplete', meaning: 'The browser check did not finish' },
] as const

export type DetectionFlag = (typeof DETECTION_FLAGS)[number]['flag']

/** Every key is always sent. */
export const DetectionFlags = z
  .object(
    Object.fromEntries(
      DETECTION_FLAGS.map(({ flag, meaning }) => [flag, z.boolean().describe(meaning)]),
    ) as Record<DetectionFlag, z.ZodBoolean>,
  )
  .describe('The detection flags. Decide on these and the score; a missing one reads as false')
export type DetectionFlags = Record<DetectionFlag, boolean>
