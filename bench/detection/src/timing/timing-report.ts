import { median } from '../../../src/lib/samples.ts'
import { markdownTable } from '../report/markdown-table.ts'
import type { Engine } from './load-once.ts'

export interface SubjectTimings {
  name: string
  /** Where the time of `time` ends. */
  span: string
  /** Of all scripts of the agent. */
  gzipBytes: number
  /** Milliseconds from the call on, one for each load. */
  time: number[]
  /** Milliseconds of the longest block of the main thread, one for each load. */
  block: number[]
  failures: string[]
}

export interface EngineTimings {
  engine: Engine
  version: string
  machine: string
  /** Of the minute before the first load: above nothing, somebody else was busy as well. */
  loadAverage: number
  /** ISO 8601, UTC. */
  at: string
  subjects: SubjectTimings[]
}

/** The document of all timings, as Markdown. */
export const timingReport = (engines: readonly EngineTimings[]): string => `# What the agent costs a page

Measured by \`npm --prefix bench/detection run agent-timing\`, in the same run as its open peers. Every load is the
first of a headless browser that was started for it on a new profile, that nothing drives and no debugger is
attached to. The call is made one second after the page has loaded. Inkling is timed to the moment its request leaves, the
peers to their result, which they leave to the page to send. The longest block is that of the main thread in the two
seconds from the import on, by a message channel that never falls silent, in loads of its own; "no agent" is what the
browser does by itself. Brackets hold the quartiles of all loads. Sizes are of all
scripts that the agent makes the page fetch in that time, each with gzip at level 9.

${engines.map(engineSection).join('\n')}`

const engineSection = ({
  version,
  machine,
  loadAverage,
  at,
  subjects,
}: EngineTimings): string => `## ${version}

${at.slice(0, 10)}; ${machine}; load average before it ${loadAverage}.

${markdownTable(
  [
    'agent',
    'gzip bytes',
    'call to',
    'p50 (quartiles), ms',
    'longest block p50 (quartiles), ms',
    'loads',
    'failed',
  ],
  subjects.map(({ name, span, gzipBytes, time, block, failures }) => [
    name,
    gzipBytes > 0 ? gzipBytes.toLocaleString('en') : '',
    span,
    spread(time),
    spread(block),
    String(block.length),
    String(failures.length),
  ]),
)}
`

function spread(samples: readonly number[]): string {
  if (samples.length === 0) return ''
  const sorted = [...samples].sort((one, other) => one - other)
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN
  return `${Math.round(median(samples))} (${Math.round(at(0.25))}–${Math.round(at(0.75))})`
}
