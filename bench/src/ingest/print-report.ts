import type { CeilingChoice } from '../ceiling/pick-ceiling.ts'
import type { EngineName } from '../engine/open-engine.ts'
import { median, type Summary } from '../lib/samples.ts'
import type { Round } from './run-round.ts'
import type { SaturatedWithWebhooks } from './saturate-with-webhooks.ts'
import { tableRow } from './table-row.ts'
import type { TimeToRow } from './time-to-row.ts'
import type { TimeToWebhook } from './time-to-webhook.ts'

export interface Report {
  machine: string
  engine: EngineName
  nodes: number
  concurrency: number
  /** Share of first visits. */
  newcomers: number
  seconds: number
  ceiling: { choice: string; perSecond: CeilingChoice['perSecond']; rounds: Round[] }
  inkling: { rounds: Round[]; peakMemoryMb: number | undefined }
  withWebhooks: SaturatedWithWebhooks
  toRow: TimeToRow
  toWebhook: TimeToWebhook
  /** Acknowledged identifications and stored rows; they must be equal. */
  rows: { ceiling: RowCount; inkling: RowCount }
}

export interface RowCount {
  acknowledged: number
  found: number
}

/** The issue's goals. */
const GOAL = { ratio: 0.7, acknowledgmentP99Ms: 50, webhookP50Ms: 100, rowMs: 250 }

const ms = (value: number): string => `${value.toFixed(1)} ms`
const quantiles = ({ p50, p99, max }: Summary): string => `p50 ${ms(p50)}, p99 ${ms(p99)}, max ${ms(max)}`
const perSecond = (round: Round): string => `${round.perSecond.toFixed(0)}/s`
const goal = (met: boolean, text: string): string => `${met ? 'goal met' : 'GOAL MISSED'}: ${text}`
const cpu = ({ cpuMicroseconds }: Round): string =>
  cpuMicroseconds === undefined ? '' : `, ${cpuMicroseconds.toFixed(0)} µs of processor each`

/** Median of the rounds' ratios: each compares two neighbours in time, so noise of the machine cancels. */
export const ratioOf = ({ ceiling, inkling }: Report): number =>
  median(inkling.rounds.map((round, index) => round.perSecond / (ceiling.rounds[index]?.perSecond ?? 0)))

export const countsAgree = ({ rows, ceiling, inkling, withWebhooks, toWebhook }: Report): boolean =>
  rows.ceiling.acknowledged === rows.ceiling.found &&
  rows.inkling.acknowledged === rows.inkling.found &&
  withWebhooks.delivered === withWebhooks.acknowledged &&
  toWebhook.missing === 0 &&
  [...ceiling.rounds, ...inkling.rounds, withWebhooks].every(({ failed }) => failed === 0)

/** How much more processor time Inkling takes, which is independent of other load on the machine. */
export const processorRatioOf = ({ ceiling, inkling }: Report): number | undefined => {
  const times = [inkling, ceiling].map(({ rounds }) =>
    median(rounds.map((round) => round.cpuMicroseconds ?? Number.NaN)),
  )
  const ratio = (times[0] ?? Number.NaN) / (times[1] ?? Number.NaN)
  return Number.isNaN(ratio) ? undefined : ratio
}

/** Prints the report as text, then as one line of JSON. */
export function printReport(report: Report): void {
  const { ceiling, inkling, withWebhooks, toRow, toWebhook, rows } = report
  const ratio = ratioOf(report)
  const acknowledgmentP99 = median(inkling.rounds.map((round) => round.acknowledgment.p99))
  const line = (label: string, text: string): void => console.log(`${label.padEnd(28)}${text}`)

  console.log(`\n${report.machine}`)
  console.log(`${report.engine}, ${report.nodes} ${report.nodes === 1 ? 'node' : 'nodes'}`)
  console.log(
    `concurrency ${report.concurrency}, ${report.seconds} s a round, durable before each answer; ${report.newcomers * 100} % of visits are a visitor's first\n`,
  )
  for (const [index, round] of inkling.rounds.entries()) {
    const peer = ceiling.rounds[index]
    if (peer)
      line(`round ${index + 1}: ceiling`, `${perSecond(peer)}, ${quantiles(peer.acknowledgment)}${cpu(peer)}`)
    line(
      `round ${index + 1}: Inkling`,
      `${perSecond(round)}, ${quantiles(round.acknowledgment)}${cpu(round)}`,
    )
  }
  line('ceiling', `${ceiling.choice}, the fastest of those tried here`)
  line('Inkling / ceiling', `${ratio.toFixed(2)}   ${goal(ratio >= GOAL.ratio, `at least ${GOAL.ratio}`)}`)
  const processorRatio = processorRatioOf(report)
  if (processorRatio !== undefined)
    line('processor time', `${processorRatio.toFixed(1)} times the ceiling's for each identification`)
  line(
    'acknowledgment p99',
    `${ms(acknowledgmentP99)}   ${goal(acknowledgmentP99 < GOAL.acknowledgmentP99Ms, `under ${GOAL.acknowledgmentP99Ms} ms`)}`,
  )
  line('with an event for each', `${perSecond(withWebhooks)}, ${quantiles(withWebhooks.acknowledgment)}`)
  line(
    '  its events',
    `${withWebhooks.delivered} of ${withWebhooks.acknowledged} arrived, the last ${(withWebhooks.drainedAfterMs / 1_000).toFixed(1)} s after the load; ${withWebhooks.repeated} repeated, ${withWebhooks.failedSends} failed sends`,
  )
  line(
    'acknowledgment to row',
    `${quantiles(toRow.fromAcknowledgment)}   ${goal(toRow.fromAcknowledgment.p99 < GOAL.rowMs, `under ${GOAL.rowMs} ms`)}`,
  )
  line(
    'POST to event',
    `${quantiles(toWebhook.fromPost)}   ${goal(toWebhook.fromPost.p50 < GOAL.webhookP50Ms, `p50 under ${GOAL.webhookP50Ms} ms`)}`,
  )
  if (inkling.peakMemoryMb !== undefined) line('peak memory', `${inkling.peakMemoryMb.toFixed(0)} MB`)
  line('rows, ceiling', `${rows.ceiling.found} for ${rows.ceiling.acknowledged} acknowledged`)
  line('rows, Inkling', `${rows.inkling.found} for ${rows.inkling.acknowledged} acknowledged`)
  if (!countsAgree(report)) console.log('\nCOUNTS DIFFER, or requests failed')
  console.log(`\n${tableRow(report, ratio)}`)
  console.log(`\n${JSON.stringify({ ...report, ratio, processorRatio })}`)
}
