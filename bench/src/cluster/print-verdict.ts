import type { Judgement } from '../kill/judge.ts'
import type { LoadCount } from '../load/keep-loading.ts'

export interface ClusterReport extends Judgement, LoadCount {
  machine: string
  seed: number
  nodes: number
  seconds: number
  outages: number
  leftInOutbox: number
  drainedAfterMs: number
  /** Identifications subtracted from the volume of the domain. */
  spent: number
  limited: { scored: number; markers: number }
  asked: { allowed: number; seconds: number }
  /** Each count must be 0. */
  faults: Judgement['faults'] & {
    notInHistory: number
    nodesGone: number
    otherAnswers: number
    volumeWrong: number
    visitsOverLimit: number
    historyOverLimit: number
  }
}

const FAULTS: Record<keyof ClusterReport['faults'], string> = {
  acknowledgedWithoutRow: 'acknowledged, and no row',
  acknowledgedWithSeveralRows: 'acknowledged, and several rows',
  rowsWithoutSnapshot: 'rows without their snapshot',
  rowsWithoutEvent: 'rows without an event',
  eventsWithoutRow: 'events without a row',
  unexplainedRepeats: 'events repeated without an outage, or after being recorded',
  damagedFile: 'indexes that do not match their table',
  notInHistory: 'not found in History, of 60 queried at all nodes',
  nodesGone: 'nodes that exited by themselves',
  otherAnswers: 'responses other than 200 and 503',
  volumeWrong: 'rows not subtracted from the volume exactly once',
  visitsOverLimit: 'rows of one address above or below its limit',
  historyOverLimit: 'History responses over the limit',
}

/**
 * Prints Markdown, then one line of JSON.
 * @returns whether every fault is 0
 */
export function printVerdict(report: ClusterReport): boolean {
  const { faults, limited, asked } = report
  const row = (name: string, value: string | number): void => console.log(`| ${name} | ${value} |`)
  console.log(`${report.machine}; ${report.nodes} nodes, ${report.seconds} s of load, seed ${report.seed}\n`)
  console.log('| | |\n|---|---|')
  row('outages, of nodes and of the database', report.outages)
  row('acknowledged', report.acknowledged)
  row('rows', report.rows)
  row('events', report.events)
  row('events repeated across an outage', report.explainedRepeats)
  row('rejected with 503', report.refused)
  row('connections that broke during a request', report.broken)
  row(
    'left in the outbox, emptied after',
    `${report.leftInOutbox}, ${(report.drainedAfterMs / 1_000).toFixed(1)} s`,
  )
  row('subtracted from the volume', report.spent)
  row('rows of one address over its limit', `${limited.scored}, and ${limited.markers} marker`)
  row('simultaneous History requests answered', `${asked.allowed}, within ${asked.seconds.toFixed(2)} s`)
  console.log('\n| must be 0 | |\n|---|---|')
  for (const [name, text] of Object.entries(FAULTS)) row(text, faults[name as keyof typeof faults])
  const whole = Object.values(faults).every((count) => count === 0)
  console.log(whole ? '\nNothing was lost.' : '\nFAILED')
  console.log(`\n${JSON.stringify(report)}`)
  return whole
}
