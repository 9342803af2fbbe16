import {
  type CatalogueEntry,
  SIGNAL_CATALOGUE,
  type SignalName,
} from '../packages/contract/src/signal-catalogue.ts'
import type { Signal } from '../packages/server/src/score/define-signal.ts'
import { DEFAULT_RULES, type Rules } from '../packages/server/src/score/rules.ts'
import { SIGNALS } from '../packages/server/src/score/signals/index.ts'

const GENERATED = '<!-- Generated from packages/server/src/score by `npm run docs`. -->'

/** Text of each page of `docs/signals` by its file name. */
export function signalPages(): Map<string, string> {
  const pages = SIGNALS.map((signal): [string, string] => [fileOf(signal.name), page(signal)])
  return new Map([['README.md', index()], ...pages])
}

const fileOf = (name: SignalName): string => `${name.replaceAll('_', '-')}.md`
const link = (name: SignalName): string => `[\`${name}\`](${fileOf(name)})`
const catalogueEntry = (name: SignalName): CatalogueEntry => SIGNAL_CATALOGUE[name]
const flagOf = (name: SignalName): string => {
  const { flag } = catalogueEntry(name)
  return flag ? `\`${flag}\`` : 'none'
}

function index(): string {
  const rows = SIGNALS.map(
    ({ name, meaning }) =>
      `| [${catalogueEntry(name).title}](${fileOf(name)}) | ${DEFAULT_RULES.weights[name]} | ${flagOf(name)} | ${meaning} |`,
  )
  return `# Signals

What is found of a visit, in the order in which entries are listed. The weights of all that was found add up,
and the sum is kept between 0 and 100. A signal whose facts are missing is unknown, which adds nothing. A
crawler that proves who it is has none, and of a visit without JavaScript no more is asked than that.

${GENERATED}

| signal | weight | flag | meaning |
|---|---|---|---|
${rows.join('\n')}
`
}

function page({ name, meaning, evidence, innocentCauses }: Signal): string {
  const { title } = catalogueEntry(name)
  const notes = interplay(name, DEFAULT_RULES)
  return `# ${title}

${GENERATED}

${meaning}

| name | weight | flag |
|---|---|---|
| \`${name}\` | ${DEFAULT_RULES.weights[name]} | ${flagOf(name)} |

## Evidence

${evidence}

## Innocent causes

${list(innocentCauses)}

## Beside other signals

${notes.length > 0 ? list(notes) : 'It says the same whatever else is found.'}
`
}

const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n')

/** What the rules say of a signal and others, in both directions. */
function interplay(name: SignalName, { weights, exclusions, suppressions, corrections }: Rules): string[] {
  const others = SIGNALS.map((signal) => signal.name).filter((other) => other !== name)
  const order = suppressions.map(({ by }) => by)
  // The first that was found decides, so a later one never silences an earlier one.
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
      (names) => `Adds nothing next to ${names}, and stays listed with its flag.`,
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

/** Nearly all of them are told by those that are left. */
function namesOf(names: readonly SignalName[], all: readonly SignalName[]): string {
  const left = all.filter((name) => !names.includes(name))
  if (left.length >= names.length) return sentence(names)
  return left.length === 0 ? 'all others' : `all others but ${sentence(left)}`
}

const sentence = (names: readonly SignalName[]): string =>
  new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(names.map(link))
