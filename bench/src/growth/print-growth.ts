import type { EngineName } from '../engine/open-engine.ts'
import type { Round } from '../ingest/run-round.ts'
import type { RelationSize } from './relation-sizes.ts'

/** Results of the load with a given number of rows, and the sizes afterwards. */
export interface Stage {
  rows: number
  round: Round
  sizes: RelationSize[]
}

export interface GrowthReport {
  machine: string
  engine: EngineName
  nodes: number
  /** Before rows are generated. */
  real: Stage
  stages: Stage[]
}

/** Smaller relations do not matter for capacity planning. */
const BYTES_LEAST = 4
/** Emptied within seconds, so their size depends on the peak load and not on the stored rows. */
const PASSING = /^(outbox|limits|unlisted_keys)/
/** Relations that generated rows fill like real ones. */
const FILLED = /^(identifications|request_ids)/

/** Bytes per row: of real identifications, and at each size with generated rows. */
function printSizes(real: Stage, stages: readonly Stage[]): void {
  const cells = (name: string): string[] =>
    stages.map(({ rows, sizes }) => {
      const bytes = sizes.find((size) => size.name === name)?.bytes
      return bytes !== undefined && FILLED.test(name) ? (bytes / rows).toFixed(0) : ''
    })
  const heads = stages.map(({ rows }) => `at ${rows.toLocaleString('en')} rows`)
  console.log(`| table or index | ${['real', ...heads].join(' | ')} |`)
  console.log(`|---|${'---|'.repeat(stages.length + 1)}`)
  const bytesOf = ({ bytes }: RelationSize): number => bytes / real.rows
  const lasting = real.sizes.filter(({ name }) => !PASSING.test(name))
  for (const size of lasting.filter((size) => bytesOf(size) >= BYTES_LEAST))
    console.log(`| ${[size.name, bytesOf(size).toFixed(0), ...cells(size.name)].join(' | ')} |`)
  const all = lasting.reduce((sum, size) => sum + bytesOf(size), 0)
  console.log(`| ${['all', all.toFixed(0), ...stages.map(() => '')].join(' | ')} |`)
}

/**
 * Prints Markdown, then one line of JSON.
 * @returns whether every request was answered
 */
export function printGrowth(report: GrowthReport): boolean {
  const { real, stages } = report
  const all = [real, ...stages]
  console.log(`${report.machine}; ${report.engine}, ${report.nodes} node(s)\n`)
  console.log('| rows stored | acknowledged | p50 | p99 | processor each |\n|---|---|---|---|---|')
  for (const [index, { rows, round }] of all.entries())
    console.log(
      `| ${(index === 0 ? 0 : rows).toLocaleString('en')} | ${round.perSecond.toFixed(0)}/s | ${round.acknowledgment.p50.toFixed(1)} ms | ${round.acknowledgment.p99.toFixed(1)} ms | ${round.cpuMicroseconds?.toFixed(0) ?? ''} µs |`,
    )
  console.log(`\nOf ${real.rows.toLocaleString('en')} real identifications, bytes for each:\n`)
  printSizes(real, stages)
  console.log(`\n${JSON.stringify(report)}`)
  return all.every(({ round }) => round.failed === 0)
}
