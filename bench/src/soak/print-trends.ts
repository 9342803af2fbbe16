import type { EngineName } from '../engine/open-engine.ts'
import type { Window } from './sample-windows.ts'
import { type Trend, trendOf } from './trend.ts'

export interface SoakReport {
  machine: string
  engine: EngineName
  nodes: number
  minutes: number
  capacityPerSecond: number
  perSecond: number
  drainedAfterMs: number
  acknowledged: number
  failed: number
  rows: number
  events: number
  windows: Window[]
}

/** Skipped at the start, because filling caches and the growing heap are not a trend. */
const WARM_UP_SHARE = 0.2
/** The largest change that counts as flat, as a share of the median over the whole run. */
const FLAT = { memory: 0.1, latency: 0.25 }

interface Line {
  name: string
  unit: string
  allowed: number
  of(window: Window): number | undefined
}

const LINES: readonly Line[] = [
  { name: 'memory of the server', unit: 'MB', allowed: FLAT.memory, of: ({ serverMb }) => serverMb },
  { name: 'memory of PostgreSQL', unit: 'MB', allowed: FLAT.memory, of: ({ databaseMb }) => databaseMb },
  { name: 'acknowledgment p50', unit: 'ms', allowed: FLAT.latency, of: ({ p50Ms }) => p50Ms },
  { name: 'acknowledgment p99', unit: 'ms', allowed: FLAT.latency, of: ({ p99Ms }) => p99Ms },
]

/** Less memory or faster responses are not a leak. */
const isFlat = (trend: Trend, { allowed }: Line): boolean => trend.change <= allowed

/**
 * Prints Markdown, then one line of JSON.
 * @returns whether nothing is missing and nothing grew
 */
export function printTrends(report: SoakReport): boolean {
  const { windows, acknowledged, failed, rows, events } = report
  const settled = windows.slice(Math.floor(windows.length * WARM_UP_SHARE))
  const at = settled.map(({ minute }) => minute)
  console.log(
    `${report.machine}; ${report.engine}, ${report.nodes} node(s), ${report.minutes} minutes at ${report.perSecond}/s of ${report.capacityPerSecond.toFixed(0)}/s\n`,
  )
  console.log('| minute | a second | p50 | p99 | server | PostgreSQL |\n|---|---|---|---|---|---|')
  for (const { minute, perSecond, p50Ms, p99Ms, serverMb, databaseMb } of windows)
    console.log(
      `| ${minute.toFixed(1)} | ${perSecond.toFixed(0)} | ${p50Ms.toFixed(1)} ms | ${p99Ms.toFixed(1)} ms | ${serverMb.toFixed(0)} MB | ${databaseMb === undefined ? '' : `${databaseMb.toFixed(0)} MB`} |`,
    )

  console.log('\n| | median | a minute | over the time | verdict |\n|---|---|---|---|---|')
  const trends = LINES.flatMap((line) => {
    const samples = settled.flatMap((window) => line.of(window) ?? [])
    if (samples.length === 0) return []
    const trend = trendOf(at, samples)
    const flat = isFlat(trend, line)
    console.log(
      `| ${line.name} | ${trend.median.toFixed(1)} ${line.unit} | ${trend.perMinute.toFixed(2)} ${line.unit} | ${(trend.change * 100).toFixed(1)} % | ${flat ? 'flat' : `GROWS: more than ${line.allowed * 100} %`} |`,
    )
    return [{ name: line.name, ...trend, flat }]
  })
  const whole = failed === 0 && rows === acknowledged && events === acknowledged
  console.log(
    `\n${rows} rows and ${events} events for ${acknowledged} acknowledged; ${failed} failed; the last event ${(report.drainedAfterMs / 1_000).toFixed(1)} s after the load`,
  )
  if (!whole) console.log('COUNTS DIFFER, or requests failed')
  console.log(`\n${JSON.stringify({ ...report, trends })}`)
  return whole && trends.every(({ flat }) => flat)
}
