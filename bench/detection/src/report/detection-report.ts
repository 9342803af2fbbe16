import type { Configuration } from '../configuration.ts'
import { FAMILIES } from '../families.ts'
import type { RunResult } from '../measure-run.ts'
import { automationTable, controlTable, failures, privateModeText, totalsTable } from './detection-tables.ts'
import { addedByReaders, halvesTable, missedAtLoad, missedList } from './half-tables.ts'
import { judgeAll } from './judge-all.ts'

export interface ReportInput {
  configurations: readonly Configuration[]
  controls: readonly Configuration[]
  results: readonly RunResult[]
  /** Tools of the measurement, as `name version`. */
  versions: readonly string[]
  machine: string
}

/** The report of all results, as Markdown. */
export function detectionReport({
  configurations,
  controls,
  results,
  versions,
  machine,
}: ReportInput): string {
  const measured = new Set(results.map(({ id }) => id))
  const automation = judgeAll(
    configurations.filter(({ id }) => measured.has(id)),
    results,
  )
  const undeclared = automation.filter(
    ({ configuration: { family } }) => !family || FAMILIES[family].half !== 'apart',
  )
  const people = judgeAll(
    controls.filter(({ id }) => measured.has(id)),
    results,
  )
  const days = results.map(({ at }) => at.slice(0, 10)).sort()
  return `# Detection

Measured by \`npm run bench:detection\` on ${period(days)}: real browsers driven by ${automation.length} automation
configurations, and ${people.length} controls without automation, whose input xdotool sends in place of a person.
\`bench/detection/README.md\` describes the method. All detectors look at the same page of the same visit:

- **Inkling** catches a run if it raises \`browser_automation\` or \`anti_detect_browser\`; "at load" is its result before any
  input.
- **BotD** catches a run if it reports \`bot\`.
- **fpscanner** catches a run if it reports anything except \`hasUTCTimezone\`, \`hasMismatchWebGLInWorker\` and
  \`hasSwiftshaderRenderer\`, which describe the environment, not automation. "raw" includes these three.
- **headless-detector** catches a run above a score of .5, which it calls likely.
- **fingerprinter-js** catches a run whose risk it does not call low.

Brackets hold Wilson's 95 % interval over the counted runs or configurations. The tools were chosen; they are not a sample
of the visits to a site.

${versions.join(', ')}; ${machine}. Each configuration starts with a new profile. This machine serves the page, Inkling and
the peers. It has no GPU; there is one operating system and one network.

## In total

${totalsTable(undeclared, people)}

A configuration counts as caught if all of its runs are caught. A control counts as a false positive if any of its runs is
caught. Programs at real input devices are listed apart and count in neither, because assistive technology looks the same.

## By family

Signals are chosen and weighed on the fit half. The judge half is run for this report. It is not blind: what was known of
such drivers before had shaped the facts, the machine is the same, and some of its libraries are of the fit half too, which
connect there or go at a person's pace. After parts of it had been run, presses of assistive technology were left out of
the facts, because AT-SPI, which is listed apart, showed that they were accused. Nothing was added.

${halvesTable(automation)}

Not caught in every run:

${missedList(automation)}

Input without a device is known by facts of which two must come together. Positions and time stamps count only where they
were measured, on Linux without scaling, and where the page shows the grid of X11. Elsewhere, as on Windows and macOS, there
are pressure, texts, keys and the moves of a frame. Safari and Firefox have none of these facts: their drivers are known by
what they declare.

Not caught before any input, which is another question for a driver of an ordinary browser:

${missedAtLoad(automation)}

At load there is no input yet. What shows there is the browser's word, its sizes, what the launcher forgot, and what reads
the console. fpscanner takes any reader for a verdict, open DevTools and recorders of bugs too. Inkling tells them apart:
DevTools debug, which makes handlers of promises dear, or record performance, which makes timers dear; a recorder of bugs
reads the page, and libraries its workers as well. A reader of both that does neither is a verdict; of the page alone it is
one fact of two. DevTools that are set to show no asynchronous stacks look like a driver, and a later release of the browser
may change what a debugger costs. A driver that reads nothing, in a browser with a display, shows nothing before it acts:
names, styles, media, permissions and fonts of the page were compared with those of a plain browser, and are the same.
Chromium without a display, on Linux, has a keyboard with a key that no layout puts there; on other systems it was not
looked for.

The goal at load is .7 of the judge half. A reader of the page alone as a verdict would add
${addedByReaders(automation)}. But it is all that a recorder of bugs shows as well, which an
extension may be without a word where a company installs it. It would accuse whoever has one at each visit, so the goal is
missed.

fingerprinter-js calls the risk of every browser on this machine high.

## Automation

The first 18 are the reference matrix. The goal is to catch 17 of them.

${automationTable(automation)}

## Controls

${controlTable(people)}

## Private mode

${privateModeText([...automation, ...people])}

## Runs without a measurement

${failures([...automation, ...people])}

## Not measured this time

${notMeasured([...configurations, ...controls], measured)}
`
}

const period = (days: readonly string[]): string => [...new Set([days[0], days.at(-1)])].join(' to ')

function notMeasured(all: readonly Configuration[], measured: ReadonlySet<string>): string {
  const ids = all.filter(({ id }) => !measured.has(id)).map(({ id }) => `\`${id}\``)
  return ids.length === 0 ? 'None.' : `${ids.join(', ')}.`
}
