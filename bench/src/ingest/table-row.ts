import { median, type Summary } from '../lib/samples.ts'
import type { Report } from './print-report.ts'
import type { Round } from './run-round.ts'

const HEADS = [
  'engine and nodes',
  'ceiling',
  'p99',
  'Inkling',
  'p99',
  'ratio',
  'processor each',
  'with an event for each',
  'to row p50, p99',
  'to event p50, p99',
]

const overRounds = (rounds: readonly Round[], of: (round: Round) => number | undefined): string =>
  median(rounds.map((round) => of(round) ?? Number.NaN)).toLocaleString('en', { maximumFractionDigits: 0 })

const quantiles = ({ p50, p99 }: Summary): string => `${p50.toFixed(1)} ms, ${p99.toFixed(1)} ms`

/**
 * One run as a row of the Markdown table that compares engines and numbers of nodes; medians of the
 * rounds.
 */
export function tableRow(report: Report, ratio: number): string {
  const { engine, nodes, ceiling, inkling, withWebhooks, toRow, toWebhook } = report
  const cells = [
    `${engine}, ${nodes}`,
    `${overRounds(ceiling.rounds, (round) => round.perSecond)}/s`,
    `${overRounds(ceiling.rounds, (round) => round.acknowledgment.p99)} ms`,
    `${overRounds(inkling.rounds, (round) => round.perSecond)}/s`,
    `${overRounds(inkling.rounds, (round) => round.acknowledgment.p99)} ms`,
    ratio.toFixed(2),
    `${overRounds(inkling.rounds, (round) => round.cpuMicroseconds)} µs`,
    `${withWebhooks.perSecond.toFixed(0)}/s`,
    quantiles(toRow.fromAcknowledgment),
    quantiles(toWebhook.fromPost),
  ]
  const line = (texts: readonly string[]): string => `| ${texts.join(' | ')} |`
  return [HEADS, HEADS.map(() => '---'), cells].map(line).join('\n')
}
