import { BANDS, type DetectionFlag, type DetectionFlags, NO_FLAGS } from '@inkling/contract'
import type { Identified, Scored, ScoreEntry, Verdict } from '../visit/identification.ts'
import { coverage } from './coverage.ts'
import type { Hit, Signal } from './define-signal.ts'
import { DEFAULT_RULES, type Rules } from './rules.ts'
import { SIGNALS, type SignalName } from './signals/index.ts'

type NamedSignal = Signal<SignalName>
type Found = readonly [NamedSignal, Hit]

const PAID_GROUPS: readonly string[] = ['Paid Search', 'Paid Social']
/** A click paid to anybody else has one of the groups, too, and the channel `Other`. */
const AD_PLATFORMS: readonly string[] = [
  'Google Ads',
  'Meta',
  'TikTok',
  'Microsoft Ads',
  'LinkedIn',
  'Pinterest',
  'X',
]

/** Pure: no I/O and no clock, so a stored snapshot scores the same, or under other rules. */
export function score(identified: Identified, rules: Rules = DEFAULT_RULES): Scored {
  if (identified.crawler) return { ...identified, verdict: { ...crawlerVerdict(), rules: rules.version } }
  const found: Found[] = []
  const clear: string[] = []
  const unknown: string[] = []
  for (const signal of signalsFor(identified)) {
    const answer = signal.test(identified)
    if (answer.answer === 'hit') found.push([signal, answer])
    else (answer.answer === 'clear' ? clear : unknown).push(signal.name)
  }
  const hits = withoutExcluded(found, rules)
  const weighed = weigh(hits, rules)
  const entries = countedFirst(isExplained(identified) ? weighed.map(explained) : weighed)
  const sum = entries.reduce((total, entry) => total + entry.value, 0)
  const points = Math.min(BANDS.dangerous.to, Math.max(BANDS.trusted.from, sum))
  const flags = raise(hits, rules)
  const connection = connectionType(identified, flags)
  // A row has no column for it: there it is read from the connection type.
  flags.browser_vpn_proxy = connection === 'browser_vpn_proxy'
  flags.suspicious_paid_click = points >= BANDS.dangerous.from && isPaidClick(identified)

  const verdict: Verdict = {
    score: points,
    flags,
    entries,
    clear,
    unknown,
    connectionType: connection,
    coverage: identified.via === 'agent' ? coverage(identified) : undefined,
    rules: rules.version,
  }
  return { ...identified, verdict }
}

/** A crawler that proved its identity: no signal is asked of it. */
const crawlerVerdict = (): Verdict => ({
  score: 0,
  flags: { ...NO_FLAGS, search_bot: true },
  entries: [],
  clear: [],
  unknown: [],
  connectionType: 'proxy',
})

/**
 * Without JavaScript nearly all facts are missing, so only that one signal is asked. A request alone has no page that
 * could lack them.
 */
function signalsFor({ via }: Identified): readonly NamedSignal[] {
  if (via === 'noscript') return SIGNALS.filter(({ name }) => name === 'javascript_disabled')
  return via === 'edge' ? SIGNALS.filter(({ name }) => !OF_A_PAGE.includes(name)) : SIGNALS
}

const OF_A_PAGE: readonly SignalName[] = ['javascript_disabled', 'check_incomplete']

/** A service that rents browsers proves who owns the browser, not who drives it. */
const isExplained = ({ agent }: Identified): boolean =>
  agent?.standing === 'verified' && agent.category !== 'browser_service'

/**
 * What an agent that browses for somebody causes by itself, from a data center and with a browser of its own. Once it has
 * proven who it is, only what it hides counts against it, such as a browser that pretends to be another.
 */
const CAUSED_BY_AGENT: readonly SignalName[] = [
  'javascript_disabled',
  'browser_automation',
  'honeytoken',
  'os_mismatch',
  'os_not_detected',
  'proxy',
  'datacenter_ip',
  'vpn',
  'abuser',
  'stun_not_checked',
  'stun_late_correction',
  'timezone_mismatch',
]

const explained = (entry: ScoreEntry): ScoreEntry =>
  CAUSED_BY_AGENT.some((name) => name === entry.name)
    ? { ...entry, value: 0, suppressedBy: 'declared_agent' }
    : entry

const isPaidClick = ({ traffic }: Identified): boolean =>
  AD_PLATFORMS.includes(traffic.channel) && PAID_GROUPS.includes(traffic.channelGroup)

function withoutExcluded(found: readonly Found[], rules: Rules): readonly Found[] {
  const names = found.map(([signal]) => signal.name)
  const excluded = rules.exclusions
    .filter(({ by }) => by.some((name) => names.includes(name)))
    .map(({ of }) => of)
  return found.filter(([signal]) => !excluded.includes(signal.name))
}

function weigh(hits: readonly Found[], rules: Rules): ScoreEntry[] {
  const names = hits.map(([signal]) => signal.name)
  const suppression = rules.suppressions.find(({ by }) => names.includes(by))
  return hits.map(([{ name }, { description, evidence }]): ScoreEntry => {
    const weight = rules.weights[name]
    const entry = { name, description, weight, value: weight, evidence }
    if (!suppression || name === suppression.by || !suppression.silences(name)) return entry
    return { ...entry, value: 0, suppressedBy: suppression.by }
  })
}

/** Entries that count come first, then informational and suppressed ones. */
const countedFirst = (entries: readonly ScoreEntry[]): ScoreEntry[] => [
  ...entries.filter(({ value }) => value !== 0),
  ...entries.filter(({ value }) => value === 0),
]

/** A suppressed signal keeps its flag, since it is still a fact. A corrected one loses it. */
function raise(hits: readonly Found[], { corrections }: Rules): DetectionFlags {
  const names = hits.map(([signal]) => signal.name)
  const corrected = corrections.filter(({ by }) => names.includes(by)).map(({ flagOf }) => flagOf)
  const flagsOf = (found: readonly Found[]) =>
    found.flatMap(([{ flag }]): DetectionFlag[] => (flag === undefined ? [] : [flag]))
  const flags = { ...NO_FLAGS }
  for (const flag of flagsOf(hits)) flags[flag] = true
  for (const flag of flagsOf(hits.filter(([{ name }]) => corrected.includes(name)))) flags[flag] = false
  return flags
}

/**
 * How the visitor is connected: what fired, in the order in which signals stand in for others, then what the address
 * data says. Hosting networks are shown as `proxy`. For display only: flags decide.
 */
function connectionType({ ip }: Identified, flags: DetectionFlags): string {
  if (flags.tor) return 'tor'
  if (flags.privacy_relay) return 'privacy_relay'
  if (flags.vpn) return 'vpn'
  if (flags.browser_vpn_proxy) return 'browser_vpn_proxy'
  if (ip.vpn) return 'vpn'
  if (flags.proxy || flags.datacenter_ip || ip.hosting) return 'proxy'
  if (ip.mobile) return 'mobile'
  // Nothing is known of an address that no network announces.
  return ip.asn === undefined ? 'unknown' : 'direct'
}
