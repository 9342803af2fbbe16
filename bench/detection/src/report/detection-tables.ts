import type { Configuration } from '../configuration.ts'
import type { Judgement } from './judge.ts'
import { type Answer, caughtAlways, type Judged } from './judge-all.ts'
import { markdownTable } from './markdown-table.ts'
import { rateOf, rateText } from './rate.ts'

const DETECTORS: readonly { name: string; answer: Answer }[] = [
  { name: 'Inkling', answer: (run) => run.flagged },
  { name: 'Inkling at load', answer: (run) => run.flaggedAtLoad },
  { name: 'BotD', answer: (run) => run.botd },
  { name: 'fpscanner', answer: (run) => run.fpscanner },
  { name: 'fpscanner raw', answer: (run) => run.fpscannerRaw },
  { name: 'headless-detector', answer: (run) => run.headlessDetector },
  { name: 'fingerprinter-js', answer: (run) => run.fingerprinter },
]
const NAMES = DETECTORS.map(({ name }) => name)

const ofRuns = (judged: readonly Judged[], answer: Answer): string =>
  rateText(rateOf(judged.flatMap(({ runs }) => runs.map(answer))))
const ofConfigurations = (judged: readonly Judged[], answer: Answer): string =>
  rateText(rateOf(judged.map((one) => caughtAlways(one, answer))))
const everFlagged = ({ runs }: Judged, answer: Answer): boolean | undefined =>
  runs.length === 0 ? undefined : runs.some((run) => answer(run) === true)

export function totalsTable(automation: readonly Judged[], controls: readonly Judged[]): string {
  const matrix = automation.filter(({ configuration }) => configuration.inMatrix)
  const spoofers = automation.filter(({ configuration }) => configuration.spoofs)
  const row = (name: string, value: (answer: Answer) => string) => [
    name,
    ...DETECTORS.map(({ answer }) => value(answer)),
  ]
  return markdownTable(
    ['', ...NAMES],
    [
      row('caught, of the reference matrix', (answer) => ofConfigurations(matrix, answer)),
      row('caught, of all configurations', (answer) => ofConfigurations(automation, answer)),
      row('caught, of all runs', (answer) => ofRuns(automation, answer)),
      row('false positives, of the controls', (answer) =>
        rateText(rateOf(controls.map((one) => everFlagged(one, answer)))),
      ),
      row('false positives, of their runs', (answer) => ofRuns(controls, answer)),
      [
        'also `anti_detect_browser`, of the spoofing configurations',
        ofConfigurations(spoofers, (run) => run.antidetect),
        ...NAMES.slice(1).map(() => ''),
      ],
    ],
  )
}

const shared = (judged: Judged): string[] => [
  scores(judged.runs),
  signals(judged.runs),
  ...DETECTORS.map(({ answer }) => ofRuns([judged], answer)),
]
const SHARED_HEAD = ['score', 'signals', ...NAMES]

export const automationTable = (judged: readonly Judged[]): string =>
  markdownTable(
    ['configuration', ...SHARED_HEAD, '`anti_detect_browser`', 'private'],
    judged.map((one) => [titleOf(one.configuration), ...shared(one), antidetect(one), privateMode(one)]),
  )

export const controlTable = (judged: readonly Judged[]): string =>
  markdownTable(
    ['control', ...SHARED_HEAD, 'private'],
    judged.map((one) => [titleOf(one.configuration), ...shared(one), privateMode(one)]),
  )

const titleOf = ({ title, id }: Configuration): string => `${title} (\`${id}\`)`

function scores(runs: readonly Judgement[]): string {
  const values = runs.map(({ score }) => score)
  return [...new Set(values.length > 0 ? [Math.min(...values), Math.max(...values)] : [])].join('–')
}

const signals = (runs: readonly Judgement[]): string =>
  [...new Set(runs.flatMap((run) => run.signals))].sort().join(', ')

const antidetect = ({ configuration, runs }: Judged): string => {
  const { hits, of } = rateOf(runs.map((run) => run.antidetect))
  return configuration.spoofs ? `${hits}/${of}, expected` : `${hits}/${of}`
}

/** Covers each request of the visit: a wrong one makes the run wrong. */
const isRight =
  ({ isPrivate }: Configuration): Answer =>
  ({ incognito }) =>
    incognito.every((said) => said === isPrivate)

const privateMode = ({ configuration, runs }: Judged): string => {
  const { hits, of } = rateOf(runs.map(isRight(configuration)))
  return `${configuration.isPrivate ? 'yes' : 'no'}: ${hits}/${of} right`
}

/** How often `incognito` was right, by engine. */
export function privateModeText(judged: readonly Judged[]): string {
  const rows = (['chromium', 'firefox'] as const).flatMap((engine) =>
    [true, false].map((isPrivate) => {
      const own = judged.filter(
        ({ configuration }) => configuration.engine === engine && configuration.isPrivate === isPrivate,
      )
      const answers = own.flatMap(({ configuration, runs }) => runs.map(isRight(configuration)))
      return [engine, isPrivate ? 'private, or in memory only' : 'ordinary', rateText(rateOf(answers))]
    }),
  )
  return markdownTable(['browser', 'window', 'right runs'], rows)
}

export function failures(judged: readonly Judged[]): string {
  const lines = judged.flatMap(({ configuration, errors }) =>
    errors.map((error) => `- \`${configuration.id}\`: ${error}`),
  )
  return lines.length === 0 ? 'None.' : lines.join('\n')
}
