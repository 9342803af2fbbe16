import type { Signal } from '../packages/server/src/score/define-signal.ts'
import { DEFAULT_RULES, type Rules } from '../packages/server/src/score/rules.ts'
import { SIGNALS, type SignalName } from '../packages/server/src/score/signals/index.ts'

const GENERATED = '<!-- Generated from packages/server/src/score by `npm run docs`. -->'

/** Content of each page of `docs/signals` by its file name. */
export function signalPages(): Map<string, string> {
  const pages = SIGNALS.map((signal): [string, string] => [fileOf(signal.name), page(signal)])
  return new Map([['README.md', index()], ...pages])
}

const fileOf = (name: SignalName): string => `${name.replaceAll('_', '-')}.md`
const link = (name: SignalName): string => `[\`${name}\`](${fileOf(name)})`
const flagText = ({ flag }: Signal): string => (flag ? `\`${flag}\`` : 'none')

function index(): string {
  const rows = SIGNALS.map(
    (signal) =>
      `| [${signal.title}](${fileOf(signal.name)}) | ${signal.weight} | ${flagText(signal)} | ${signal.meaning} |`,
  )
  return `# Signals

Each signal is one question about a visit, listed here in the order of the entries in a score. The weights of
all signals that hit are added up, and the score is the sum, kept between 0 and 100. A signal whose facts are
missing is unknown and adds nothing. Crawlers that prove their identity are asked nothing, and visits without
JavaScript only that one question.

${GENERATED}

| signal | weight | flag | meaning |
|---|---|---|---|
${rows.join('\n')}
`
}

function page(signal: Signal<SignalName>): string {
  const { name, title, weight, meaning, evidence, innocentCauses } = signal
  const notes = interplay(name, DEFAULT_RULES)
  return `# ${title}

${GENERATED}

${meaning}

| name | weight | flag |
|---|---|---|
| \`${name}\` | ${weight} | ${flagText(signal)} |

## Evidence

${evidence}

## Innocent causes

${list(innocentCauses)}

## Beside other signals

${notes.length > 0 ? list(notes) : 'Other signals change nothing about it.'}
`
}

const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n')

/** The rules that connect a signal with others, in both directions. */
function interplay(name: SignalName, { weights, exclusions, suppressions, corrections }: Rules): string[] {
  const others = SIGNALS.map((signal) => signal.name).filter((other) => other !== name)
  const order = suppressions.map(({ by }) => by)
  // Only the first one that hits applies, so a later one never silences an earlier one.
  const silences = (by: SignalName, silenced: SignalName): boolean =>
    suppressions.find((suppression) => suppression.by === by)?.silences(silenced) === true &&
    (!order.includes(silenced) || order.indexOf(by) < order.indexOf(silenced))
  const note = (names: readonly SignalName[], text: (names: string) => string): string[] =>
    names.length === 0 ? [] : [text(namesOf(names, others))]
  return [
    ...note(
      others.filter((other) => silences(name, other)),
      (names) => `Stands in for ${names}: these stay listed with their flags and add nothing.`,
    ),
    ...note(
      weights[name] === 0 ? [] : order.filter((by) => silences(by, name)),
      (names) =>
        `Adds nothing next to ${names}, and stays listed ${ofConnection(name) ? 'without' : 'with'} its flag.`,
    ),
    ...note(
      others.filter((other) => ofConnection(other) && silences(name, other)),
      (names) => `Takes the flag of ${names} back.`,
    ),
    ...note(
      exclusions.filter(({ by }) => by.includes(name)).map(({ of }) => of),
      (names) => `Explains ${names} away: no entry and no flag.`,
    ),
    ...note(
      exclusions.filter(({ of }) => of === name).flatMap(({ by }) => by),
      (names) => `Is explained away by ${names}: no entry and no flag.`,
    ),
    ...note(
      corrections.filter(({ by }) => by === name).map(({ flagOf }) => flagOf),
      (names) => `Takes the flag of ${names} back.`,
    ),
    ...note(
      corrections.filter(({ flagOf }) => flagOf === name).map(({ by }) => by),
      (names) => `Its flag is taken back by ${names}.`,
    ),
  ]
}

/** Its flag says what the connection is, so it is not raised beside a signal that says otherwise. */
const ofConnection = (name: SignalName): boolean => name === 'browser_vpn_proxy'

/** Turns a list of nearly all names into a list of exceptions. */
function namesOf(names: readonly SignalName[], all: readonly SignalName[]): string {
  const left = all.filter((name) => !names.includes(name))
  if (left.length >= names.length) return sentence(names)
  return left.length === 0 ? 'all others' : `all others but ${sentence(left)}`
}

const sentence = (names: readonly SignalName[]): string =>
  new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(names.map(link))
