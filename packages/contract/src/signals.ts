import { SIGNAL_CATALOGUE } from './generated/signal-catalogue.ts'

/** Every signal of this release, written by `npm run docs` from `packages/server/src/score/signals`. */
export { SIGNAL_CATALOGUE }
export type SignalName = keyof typeof SIGNAL_CATALOGUE

/** The entry of a visit whose address was over the ingest rate limit. */
export const RATE_LIMIT_DESCRIPTION = 'User has been banned 1H, to many requests'

/** What a person reads as the name of a signal. A later release may send one that this one does not know. */
export const signalTitle = (name: string): string =>
  Object.hasOwn(SIGNAL_CATALOGUE, name) ? SIGNAL_CATALOGUE[name as SignalName].title : name

/**
 * Beginnings of score entries whose name is not what their text says. Clients in the field have this list
 * built in, so it never grows: the text of a new signal has to say its name.
 */
const NAMES_BY_BEGINNING: readonly (readonly [beginning: string, name: string])[] = [
  [RATE_LIMIT_DESCRIPTION, 'rate_limited'],
  ['Port scan routed via proxy (antidetect browser pattern)', 'proxy_routed_antidetect'],
  ['Antidetect browser', 'antidetect_browser'],
  ['Browser Automation', 'browser_automation'],
  ['JavaScript disabled', 'javascript_disabled'],
  ['Os_mismatch', 'os_mismatch'],
  ['UA OS is not detected', 'os_not_detected'],
  ['Network OS is not detected', 'os_not_detected'],
  ['Browser timezone ≠ IP-timezone', 'timezone_mismatch'],
  ['Stun is not checked', 'stun_not_checked'],
  ['Stun passed (late arrival, corrected)', 'stun_late_correction'],
  ['Browser VPN/Proxy', 'browser_vpn_proxy'],
  ['Is tor', 'tor'],
  ['Is VPN', 'vpn'],
  ['Is privacy relay', 'privacy_relay'],
  ['Is proxy', 'proxy'],
  ['Is datacenter', 'datacenter_ip'],
  ['Is abuser', 'abuser'],
]

/** Begins an entry that repeats the verdict of an earlier visit; the repeated entry's text follows. */
export const STICKY_BEGINNING = 'Sticky verdict: '

/**
 * The signal name of a score entry. A row carries only the text of each entry. A repeated verdict has the name of the
 * original one.
 */
export function signalNameOf(entry: string): string {
  const description = entry.startsWith(STICKY_BEGINNING) ? entry.slice(STICKY_BEGINNING.length) : entry
  const listed = NAMES_BY_BEGINNING.find(([beginning]) => description.startsWith(beginning))
  if (listed) return listed[1]
  const [head = ''] = description.split('(', 1)
  return head
    .toLowerCase()
    .replaceAll('≠', '_neq_')
    .replace(/[\s\-/]+/g, '_')
    .replace(/[^\p{L}\p{N}_]/gu, '')
    .replace(/_+/g, '_')
    .replace(/^_|_$/g, '')
}
