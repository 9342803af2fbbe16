import type { OwnWeights } from '@inkling/contract'
import { SIGNALS, type SignalName } from './signals/index.ts'

/** One signal stands in for others, which then add nothing. */
export interface Suppression {
  by: SignalName
  silences: (name: SignalName) => boolean
}

/** The number of a version that a domain saved, or `file` for the weights in an operator's file. */
export type RulesVersion = number | 'file'

/** All that decides a score besides the facts. It is data: it can be tuned, and tried on stored snapshots. */
export interface Rules {
  /** Undefined for the release's own rules. */
  version?: RulesVersion | undefined
  weights: Readonly<Record<SignalName, number>>
  /** When one of `by` hits, the signal `of` leaves neither an entry nor a flag. */
  exclusions: readonly { of: SignalName; by: readonly SignalName[] }[]
  /** Only the first one whose signal hits applies. */
  suppressions: readonly Suppression[]
  /** A hit of `by` takes back the flag of `flagOf`; both entries stay. */
  corrections: readonly { by: SignalName; flagOf: SignalName }[]
}

/** Tor and privacy relays make their users look alike, so only what the browser itself shows still counts. */
const COUNTS_BEHIND_RELAY: readonly SignalName[] = [
  'javascript_disabled',
  'browser_automation',
  'honeytoken',
  'incomplete_evidence',
  'implausible_evidence',
  'replayed',
  'client_mismatch',
]

/** A VPN or a browser's own proxy causes these by itself. */
const CAUSED_BY_TUNNEL: readonly SignalName[] = [
  'abuser',
  'datacenter_ip',
  'proxy',
  'os_mismatch',
  'os_not_detected',
  'stun_late_correction',
  'stun_not_checked',
  'timezone_mismatch',
]

const allBut = (kept: readonly SignalName[]) => (name: SignalName) => !kept.includes(name)
const only = (silenced: readonly SignalName[]) => (name: SignalName) => silenced.includes(name)

export const DEFAULT_RULES: Rules = {
  weights: Object.fromEntries(SIGNALS.map(({ name, weight }) => [name, weight])) as Record<
    SignalName,
    number
  >,
  exclusions: [
    { of: 'sticky_verdict', by: ['antidetect_browser'] },
    { of: 'implausible_evidence', by: ['incomplete_evidence'] },
    {
      of: 'browser_vpn_proxy',
      by: ['vpn', 'antidetect_browser', 'sticky_verdict', 'javascript_disabled'],
    },
  ],
  corrections: [{ by: 'stun_late_correction', flagOf: 'stun_not_checked' }],
  suppressions: [
    { by: 'tor', silences: allBut(COUNTS_BEHIND_RELAY) },
    { by: 'privacy_relay', silences: allBut(COUNTS_BEHIND_RELAY) },
    { by: 'vpn', silences: only(CAUSED_BY_TUNNEL) },
    { by: 'browser_vpn_proxy', silences: only(CAUSED_BY_TUNNEL) },
  ],
}

/** The weights that a domain saved. */
export interface OwnRules {
  version: RulesVersion
  weights: OwnWeights
}

/** The release's rules with a domain's own weights in them; without any, the release's rules as they are. */
export function withOwnWeights(own: OwnRules | undefined): Rules {
  if (!own) return DEFAULT_RULES
  // By this release's names: a signal that only an earlier release knew is left out.
  const weights = Object.fromEntries(
    SIGNALS.map(({ name }) => [name, own.weights[name] ?? DEFAULT_RULES.weights[name]]),
  ) as Record<SignalName, number>
  // A correction that takes back more than its signal added would hide other signals.
  for (const { by, flagOf } of DEFAULT_RULES.corrections) weights[by] = 0 - weights[flagOf]
  return { ...DEFAULT_RULES, version: own.version, weights }
}
