import {
  DETECTION_FLAGS,
  type DetectionFlag,
  type DetectionFlags,
  SIGNAL_CATALOGUE,
  type SignalName,
} from '@inkling/contract'
import type { Identified, Scored, ScoreEntry, Verdict } from '../visit/identification.ts'
import { connectionType } from './connection-type.ts'
import type { Hit, Signal } from './define-signal.ts'
import { DEFAULT_RULES, type Rules } from './rules.ts'
import { SIGNALS } from './signals/index.ts'

const SCORE_MAX = 100
/** From here on a visit from a paid click counts as a suspicious paid click. */
const DANGEROUS_FROM = 60
const PAID_GROUPS: readonly string[] = ['Paid Search', 'Paid Social']

export const NO_FLAGS: Readonly<DetectionFlags> = Object.fromEntries(
  DETECTION_FLAGS.map(({ flag }) => [flag, false]),
) as DetectionFlags

/** Pure: no I/O and no clock, so that a stored snapshot scores the same, or under other rules. */
export function score(identified: Identified, rules: Rules = DEFAULT_RULES): Scored {
  if (identified.crawler) return { ...identified, verdict: { ...crawlerVerdict(), rules: rules.version } }
  const found: [Signal, Hit][] = []
  const clear: string[] = []
  const unknown: string[] = []
  for (const signal of signalsFor(identified)) {
    const answer = signal.test(identified)
    if (answer.answer === 'hit') found.push([signal, answer])
    else (answer.answer === 'clear' ? clear : unknown).push(signal.name)
  }
  const hits = withoutExplained(found, rules)
  const entries = weigh(hits, rules)
  const flags = raise(
    hits.map(([signal]) => signal.name),
    rules,
  )
  const sum = entries.reduce((total, entry) => total + entry.value, 0)
  const points = Math.min(SCORE_MAX, Math.max(0, sum))
  if (points >= DANGEROUS_FROM && PAID_GROUPS.includes(identified.traffic.channelGroup))
    flags.suspicious_paid_click = true

  const verdict: Verdict = {
    score: points,
    flags,
    entries,
    clear,
    unknown,
    connectionType: connectionType(identified, flags),
    rules: rules.version,
  }
  return { ...identified, verdict }
}

/** A crawler that is who it says it is: nothing of it is held against it. */
const crawlerVerdict = (): Verdict => ({
  score: 0,
  flags: { ...NO_FLAGS, search_bot: true },
  entries: [],
  clear: [],
  unknown: [],
  connectionType: 'proxy',
})

function withoutExplained(hits: readonly [Signal, Hit][], rules: Rules): readonly [Signal, Hit][] {
  const names = hits.map(([signal]) => signal.name)
  const explained = rules.exclusions
    .filter(({ by }) => by.some((name) => names.includes(name)))
    .map(({ of }) => of)
  return hits.filter(([signal]) => !explained.includes(signal.name))
}

/** Without JavaScript there is one thing to know; asking more would accuse on missing facts. */
const signalsFor = ({ via }: Identified): readonly Signal[] =>
  via === 'noscript' ? SIGNALS.filter(({ name }) => name === 'javascript_disabled') : SIGNALS

/** Entries that count come first, informational and suppressed ones after them. */
function weigh(hits: readonly [Signal, Hit][], rules: Rules): ScoreEntry[] {
  const names = hits.map(([signal]) => signal.name)
  const suppression = rules.suppressions.find(({ by }) => names.includes(by))
  const entries = hits.map(([{ name }, { description, evidence }]): ScoreEntry => {
    const weight = rules.weights[name]
    const entry = { name, description, weight, value: weight, evidence }
    if (!suppression || name === suppression.by || !suppression.silences(name)) return entry
    return { ...entry, value: 0, suppressedBy: suppression.by }
  })
  return [...entries.filter(({ value }) => value !== 0), ...entries.filter(({ value }) => value === 0)]
}

/** A suppressed signal is still a fact: its flag stays. A corrected one is not. */
function raise(names: readonly SignalName[], rules: Rules): DetectionFlags {
  const flags = { ...NO_FLAGS }
  const set = (name: SignalName, raised: boolean) => {
    const flag = flagOf(name)
    if (flag) flags[flag] = raised
  }
  for (const name of names) set(name, true)
  for (const { by, flagOf: corrected } of rules.corrections) if (names.includes(by)) set(corrected, false)
  return flags
}

function flagOf(name: SignalName): DetectionFlag | undefined {
  const entry = SIGNAL_CATALOGUE[name]
  return 'flag' in entry ? entry.flag : undefined
}
