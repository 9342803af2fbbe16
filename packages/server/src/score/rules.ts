import type { SignalName } from '@inkling/contract'
import { SIGNAL_CATALOGUE } from '@inkling/contract'

/** One signal stands in for others, which then add nothing. */
export interface Suppression {
  by: SignalName
  silences: (name: SignalName) => boolean
}

/** A domain's saved version, or `file` for weights that were only ever in an operator's file. */
export type RulesVersion = number | 'file'

/** What decides a score besides the facts: data, so that it can be tuned and tried on stored snapshots. */
export interface Rules {
  /** Undefined for the release's own. */
  version?: RulesVersion | undefined
  weights: Readonly<Record<SignalName, number>>
  /** Explained away altogether: no entry and no flag when one of the others hit. */
  exclusions: readonly { of: SignalName; by: readonly SignalName[] }[]
  /** The first whose signal hit applies, the others do not. */
  suppressions: readonly Suppression[]
  /** Signals that take another's flag back; its entry stays beside the correction. */
  corrections: readonly { by: SignalName; flagOf: SignalName }[]
}

/** Next to a network that hides everybody alike, only what the browser itself shows still counts. */
const STANDS_OUT: readonly SignalName[] = ['javascript_disabled', 'browser_automation']

/** What a VPN or a browser's own proxy causes by itself. */
const CAUSED_BY_TUNNEL: readonly SignalName[] = [
  'proxy',
  'datacenter_ip',
  'abuser',
  'os_mismatch',
  'os_not_detected',
  'stun_not_checked',
  'stun_late_correction',
  'timezone_mismatch',
]

const allBut = (kept: readonly SignalName[]) => (name: SignalName) => !kept.includes(name)
const only = (silenced: readonly SignalName[]) => (name: SignalName) => silenced.includes(name)

export const DEFAULT_RULES: Rules = {
  weights: Object.fromEntries(
    Object.entries(SIGNAL_CATALOGUE).map(([name, { weight }]) => [name, weight]),
  ) as Record<SignalName, number>,
  exclusions: [
    { of: 'sticky_verdict', by: ['antidetect_browser'] },
    {
      of: 'browser_vpn_proxy',
      by: ['vpn', 'antidetect_browser', 'sticky_verdict', 'javascript_disabled'],
    },
  ],
  corrections: [{ by: 'stun_late_correction', flagOf: 'stun_not_checked' }],
  suppressions: [
    { by: 'tor', silences: allBut(STANDS_OUT) },
    { by: 'privacy_relay', silences: allBut(STANDS_OUT) },
    { by: 'vpn', silences: only(CAUSED_BY_TUNNEL) },
    { by: 'browser_vpn_proxy', silences: only(CAUSED_BY_TUNNEL) },
  ],
}
