import type { Configuration } from '../configuration.ts'
import type { RunResult } from '../measure-run.ts'
import { automationTable, controlTable, failures, privateModeText, totalsTable } from './detection-tables.ts'
import { judgeAll } from './judge-all.ts'

export interface ReportInput {
  configurations: readonly Configuration[]
  controls: readonly Configuration[]
  results: readonly RunResult[]
  /** What was measured with, as `name version`. */
  versions: readonly string[]
  machine: string
}

/** The document of all results, as Markdown. */
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
  const people = judgeAll(
    controls.filter(({ id }) => measured.has(id)),
    results,
  )
  const days = results.map(({ at }) => at.slice(0, 10)).sort()
  return `# Detection

Measured by \`npm run bench:detection\` on ${period(days)}: real browsers driven by ${automation.length} automation
configurations, and ${people.length} controls that nothing drives but an imitation of a person's hands (xdotool).
\`bench/detection/README.md\` says how. A configuration is **flagged** when Inkling raises
\`browser_automation\` or \`anti_detect_browser\`; "at load" is what it says before any input. BotD counts when it
says \`bot\`; fpscanner when any detection fires but \`hasUTCTimezone\`, \`hasMismatchWebGLInWorker\` and
\`hasSwiftshaderRenderer\`, which tell of the environment rather than of a program; "raw" counts them too. All
look at the same page of the same visit. Brackets hold Wilson's 95 % interval for the runs or configurations counted: the
list of tools is a choice, not a sample of what visits a site.

${versions.join(', ')}; ${machine}. Each configuration starts with a new profile, and its page, Inkling and the peers
come from this machine. No GPU, one operating system, one network.

## In total

${totalsTable(automation, people)}

A configuration is caught when every run of it is; a control is a false positive when any run is.

## Automation

The first 18 are the reference matrix, which the goal of 17 is set for.

${automationTable(automation)}

## Controls

${controlTable(people)}

## Private mode

${privateModeText([...automation, ...people])}

## Runs without a measurement

${failures([...automation, ...people])}
`
}

const period = (days: readonly string[]): string => [...new Set([days[0], days.at(-1)])].join(' to ')
