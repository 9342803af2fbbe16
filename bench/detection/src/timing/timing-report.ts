import { median } from '../../../src/lib/samples.ts'
import { markdownTable } from '../report/markdown-table.ts'
import type { Engine } from './load-once.ts'

export interface SubjectTimings {
  name: string
  /** What `time` is measured to. */
  span: string
  /** Total of all scripts of the agent. */
  gzipBytes: number
  /** Milliseconds from the call, one per load. */
  time: number[]
  /** Milliseconds of the longest block of the main thread, one per load. */
  block: number[]
  failures: string[]
}

export interface EngineTimings {
  engine: Engine
  version: string
  machine: string
  /** Load average of the minute before the first load; a high one means that other software was busy. */
  loadAverage: number
  /** ISO 8601, UTC. */
  at: string
  subjects: SubjectTimings[]
}

/** The report of all timings, as Markdown. */
export const timingReport = (engines: readonly EngineTimings[]): string => `# What the agent costs a page

Measured by \`npm --prefix bench/detection run agent-timing\`, which measures Inkling and its open-source peers in one run.
Each load uses a new headless browser with a new profile. No program drives the browser, and no debugger is attached.

- **Time**: from the call, one second after the page has loaded, until Inkling's request leaves, or until a peer has its
  result. Peers leave sending to the page.
- **Longest block**: of the main thread, in the two seconds after the import. It is measured in separate loads, with a
  message channel that posts to itself all the time. "no agent" shows what the browser does by itself.
- **Size**: of all scripts that the page fetches for the agent in that time, each with gzip at level 9.

Brackets hold the quartiles of all loads. "Inkling before" is the agent of da569a9, the last commit whose visits had nothing
to prove: no ticket, no digest, no key. It is measured in turns with the current one, so that what else the machine does
meets both alike. Everything comes from this machine, so the ticket arrives while readings are collected. Where a round trip
takes longer than that, the request leaves later by the difference, by two seconds at most.

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
