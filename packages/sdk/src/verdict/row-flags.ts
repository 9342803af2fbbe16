import type { DetectionFlag, DetectionFlags, HistoryRow, ScoreDetail } from '@inkling/contract'

/** The two flags without a column: one is an entry of the score, the other a connection type. */
type Columnless = 'ip_mismatch' | 'browser_vpn_proxy'

const COLUMNS = {
  vpn: 'is_vpn',
  privacy_relay: 'is_privacy_relay',
  tor: 'is_tor',
  proxy: 'is_proxy',
  datacenter_ip: 'is_datacenter',
  abuser: 'is_abuser',
  os_mismatch: 'is_os_mismatch',
  os_not_detected: 'is_os_not_detected',
  timezone_mismatch: 'is_timezone_mismatch',
  anti_detect_browser: 'is_antidetect',
  browser_automation: 'is_browser_automation',
  incognito: 'is_incognito',
  search_bot: 'is_search_bot',
  suspicious_paid_click: 'is_suspicious_paid_click',
  javascript_disabled: 'is_js_disabled',
  stun_not_checked: 'is_stun_not_checked',
  check_incomplete: 'check_incomplete',
} as const satisfies Record<Exclude<DetectionFlag, Columnless>, keyof HistoryRow>

const COLUMN_FLAGS = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]

export const NO_FLAGS = {
  ...(Object.fromEntries(COLUMN_FLAGS.map((flag) => [flag, false])) as Record<keyof typeof COLUMNS, boolean>),
  browser_vpn_proxy: false,
  ip_mismatch: false,
} satisfies DetectionFlags

/** The detection flags of a row under the names that events use. A missing column reads as false. */
export function rowFlags(row: HistoryRow, details: readonly ScoreDetail[]): DetectionFlags {
  const flags: DetectionFlags = {
    ...NO_FLAGS,
    browser_vpn_proxy: row.connection_type === 'browser_vpn_proxy',
    ip_mismatch: details.some(({ Description }) => Description.startsWith('IP ≠ leakIP')),
  }
  for (const flag of COLUMN_FLAGS) flags[flag] = row[COLUMNS[flag]] === true
  return flags
}
