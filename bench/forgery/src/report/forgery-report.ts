import { markdownTable } from '../../../detection/src/report/markdown-table.ts'
import { rateOf, rateText } from '../../../detection/src/report/rate.ts'
import type { Case } from '../case.ts'
import { type Half, halfOf } from '../families.ts'
import type { Before } from '../results-file.ts'
import type { Result } from '../run-case.ts'
import { GOAL, type Judged, judgeAll } from './judge.ts'
import { WHAT_REMAINS } from './what-remains.ts'

interface ReportInput {
  cases: readonly Case[]
  results: readonly Result[]
  before: Before
  versions: readonly string[]
  machine: string
}

export function forgeryReport({ cases, results, before, versions, machine }: ReportInput): string {
  const all = judgeAll(cases, results, before)
  const forgers = all.filter(({ one }) => one.kind === 'forger' && !one.mayPass)
  const relays = all.filter(({ one }) => one.mayPass)
  const people = all.filter(({ one }) => one.kind === 'honest')
  const days = [...new Set(results.map(({ at }) => at.slice(0, 10)))].sort()
  const commits = [...new Set(results.map(({ commit }) => commit).filter(Boolean))]
  return `# Forgery

Measured by \`npm run bench:forgery\` on ${days.join(', ')} (${commits.join(', ')}): ${forgers.length} forgers, who send a
visit without a person in front of a browser, and ${people.length} honest set-ups, in which nothing drives the browser.
\`bench/forgery/README.md\` describes the method. A forger counts as caught if all of its runs score ${GOAL} or more. A person
counts as accused if a run scores more than the same set-up did at ${before.commit}, before visits had anything to prove.

Weights were chosen while looking at the half "fit"; the half "judge" was only measured, but for one: what tells programs
that carry out the protocol from gateways was chosen while looking at them, too. A set-up without a score "before" counts
in no rate of people. Brackets hold Wilson's 95 %
interval over forgers or set-ups. With several commits in brackets above, cases were measured at different ones. Both were
chosen; they are not a sample of the visits to a site.

${versions.join(', ')}; ${machine}. One machine, one operating system, no GPU. The network check was ${networkCheckOf(results)}.

## In total

${totals(forgers, people)}

## Forgers

${forgerTable(forgers)}

## Missed

${missed(forgers)}

## What cannot be stopped

${WHAT_REMAINS}

${forgerTable(relays)}

## Honest set-ups

${peopleTable(people)}

## Accused

${accused(people)}

## Not measured

${unmeasured(all)}
`
}

const networkCheckOf = (results: readonly Result[]): string => {
  const on = results.filter(({ networkCheck }) => networkCheck).length
  return on === 0 ? 'off' : on === results.length ? 'on' : `on in ${on} of ${results.length} runs`
}

const HALVES: readonly Half[] = ['fit', 'judge']
const inHalf = (judged: readonly Judged[], half: Half): readonly Judged[] =>
  judged.filter(({ one }) => halfOf(one.family) === half)

const rate = (judged: readonly Judged[]): string => rateText(rateOf(judged.map(({ caught }) => caught)))
const rateBefore = (forgers: readonly Judged[]): string =>
  rateText(rateOf(forgers.map(({ before }) => (before === undefined ? undefined : before >= GOAL))))

const totals = (forgers: readonly Judged[], people: readonly Judged[]): string =>
  markdownTable(
    ['', 'all', ...HALVES],
    [
      ['forgers caught', rate(forgers), ...HALVES.map((half) => rate(inHalf(forgers, half)))],
      [
        'forgers caught before',
        rateBefore(forgers),
        ...HALVES.map((half) => rateBefore(inHalf(forgers, half))),
      ],
      ['people accused', rate(people), ...HALVES.map((half) => rate(inHalf(people, half)))],
    ],
  )

const forgerTable = (judged: readonly Judged[]): string =>
  markdownTable(
    ['forger', ...HEAD, ''],
    judged.map((one) => [...row(one), one.remarks.join(', ')]),
  )
const peopleTable = (judged: readonly Judged[]): string => markdownTable(['set-up', ...HEAD], judged.map(row))

const HEAD = ['family', 'half', 'score', 'before', 'evidence', 'signals']

function row({ one, scores, before, coverage, signals }: Judged): string[] {
  return [
    `${one.title} (\`${one.id}\`)`,
    one.family,
    halfOf(one.family),
    scores ? [...new Set(scores)].join('–') : '',
    before === undefined ? '' : String(before),
    coverage === undefined ? '' : coverage.toFixed(2),
    signals.join(', '),
  ]
}

function missed(forgers: readonly Judged[]): string {
  const lines = forgers
    .filter(({ caught }) => caught === false)
    .map(
      ({ one, scores, signals }) =>
        `- \`${one.id}\`, ${scores?.[0]}: ${signals.length === 0 ? 'no signal at all' : signals.join(', ')}`,
    )
  return lines.length === 0 ? 'None.' : lines.join('\n')
}

function accused(people: readonly Judged[]): string {
  const lines = people
    .filter(({ caught }) => caught)
    .map(
      ({ one, scores, before, signals }) =>
        `- \`${one.id}\`: ${before} → ${scores?.[1]}: ${signals.join(', ')}`,
    )
  return lines.length === 0 ? 'Nobody.' : lines.join('\n')
}

function unmeasured(all: readonly Judged[]): string {
  const lines = all.flatMap(({ one, errors, skipped, scores }) => {
    const why = skipped ? [skipped] : errors.length > 0 ? errors : scores ? [] : ['not run']
    return why.map((reason) => `- \`${one.id}\`: ${reason}`)
  })
  return lines.length === 0 ? 'Everything ran.' : lines.join('\n')
}
