import { parseArgs } from 'node:util'
import { EXAMPLES } from './capacity/examples.ts'
import { weightOf } from './capacity/plan.ts'
import { databaseRestarted, nodeKilled, recoverySeconds, shardMoved } from './capacity/simulate/incidents.ts'
import { type Incident, type Outcome, runWindow, type Window } from './capacity/simulate/run-window.ts'
import { citusServices, postgresServices } from './capacity/simulate/services.ts'
import { validate } from './capacity/simulate/validate.ts'
import { progress } from './lib/progress.ts'

/**
 * Simulates a billion visits a day with measured service times: how many nodes hold a p99, a day hour by hour, failures
 * in the busiest hour, and the same on Citus. Windows of some seconds stand for their hours.
 */
const { values } = parseArgs({
  options: {
    'visits-per-day': { type: 'string', default: '1000000000' },
    /** p99 of an acknowledgment. */
    'goal-ms': { type: 'string', default: '150' },
    /** Of each window. */
    seconds: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
  },
})
const visitsPerDay = Number(values['visits-per-day'])
const goalMs = Number(values['goal-ms'])
const seconds = Number(values.seconds)
const seed = Number(values.seed)
const { peakFactor, largestDomain } = EXAMPLES['a billion a day']
const weight = weightOf(EXAMPLES['a billion a day'])
const INSTALLATIONS = 5
const NODE_CORES = 2
const DATABASE_CORES = 48
const DOMAINS = 1_000
const FAILURE_SECONDS = 40

const average = visitsPerDay / 86_400
const peak = average * peakFactor
const outcomes: Record<string, unknown> = {}

/** One of five installations: the one that has only the domain with a fifth of all visits. */
const ofInstallation = (nodes: number, factor: number): Window => ({
  size: {
    nodes,
    nodeCores: NODE_CORES,
    workers: 1,
    workerCores: DATABASE_CORES,
    coordinatorCores: 0,
    domains: 1,
  },
  services: postgresServices(weight),
  rate: (average * factor) / INSTALLATIONS,
  largestDomain: 1,
  seconds,
  warmUpSeconds: 2,
  seed,
})

interface Cluster {
  nodes: number
  workers: number
  coordinatorCores: number
  /** Of all visits. */
  share: number
}

const ofCluster = ({ nodes, workers, coordinatorCores, share }: Cluster): Window => ({
  size: {
    nodes,
    nodeCores: NODE_CORES,
    workers,
    workerCores: DATABASE_CORES,
    coordinatorCores,
    domains: DOMAINS,
  },
  services: citusServices(weight),
  rate: peak * share,
  largestDomain,
  seconds,
  warmUpSeconds: 2,
  seed,
})

const percent = (share: number): string => `${(share * 100).toFixed(0)} %`
const HEAD =
  'acknowledged | p50 | p99 | refused | visits a commit | longest wait for a domain | longest queue | nodes busy'

const cellsOf = (outcome: Outcome): string[] => [
  `${outcome.perSecond.toFixed(0)}/s`,
  `${outcome.p50Ms.toFixed(0)} ms`,
  `${outcome.p99Ms.toFixed(0)} ms`,
  outcome.refused.toFixed(0),
  outcome.visitsPerCommit.toFixed(1),
  `${outcome.domainWaitMostMs.toFixed(0)} ms`,
  `${outcome.queueMost}`,
  percent(outcome.nodesBusy),
]

const holds = ({ p99Ms, refused }: Outcome): boolean => p99Ms < goalMs && refused === 0

function printRow(cells: readonly string[]): void {
  console.log(`| ${cells.join(' | ')} |`)
}

function printHead(head: string): void {
  console.log(`\n| ${head} |\n|${head.replaceAll(/[^|]+/g, '---')}|`)
}

function printValidation(): void {
  printHead('one node on PostgreSQL, two cores | measured | simulated | difference')
  for (const { name, unit, measured, simulated } of validate(seed))
    printRow([
      name,
      `${measured} ${unit}`,
      `${simulated.toFixed(1)} ${unit}`,
      percent(simulated / measured - 1),
    ])
}

/** @returns the smallest number of nodes that holds the goal; more nodes wait longer for the row of the domain */
function printNodes(): number {
  printHead(`nodes of one of ${INSTALLATIONS} installations | ${HEAD} | PostgreSQL busy`)
  const counts = [6, 8, 10, 12, 16, 24, 32, 48, 64]
  const held: number[] = []
  for (const nodes of counts) {
    const outcome = runWindow(ofInstallation(nodes, peakFactor))
    printRow([`${nodes}`, ...cellsOf(outcome), percent(outcome.workersBusy)])
    if (holds(outcome)) held.push(nodes)
    outcomes[`nodes ${nodes}`] = outcome
  }
  const [least] = held
  console.log(
    `\np99 under ${goalMs} ms: ${least === undefined ? 'NOT HELD' : `${least} to ${held.at(-1)} nodes of those tried`}`,
  )
  return least ?? counts.at(-1) ?? 1
}

/** Three times the average at 20 o'clock, and less than half of it at night. */
const factorOf = (hour: number): number => {
  const distance = Math.min(Math.abs(hour - 20), 24 - Math.abs(hour - 20))
  return 0.4 + (peakFactor - 0.4) * Math.exp(-((distance / 3.12) ** 2))
}

function printDay(nodes: number): void {
  printHead(`hour, ${nodes} nodes | ${HEAD} | PostgreSQL busy`)
  for (let hour = 0; hour < 24; hour += 2) {
    const outcome = runWindow(ofInstallation(nodes, factorOf(hour)))
    printRow([`${hour}`, ...cellsOf(outcome), percent(outcome.workersBusy)])
    outcomes[`hour ${hour}`] = outcome
  }
}

/** Each incident has a window of its own, after some quiet seconds. */
function printFailures(title: string, window: Window, incidents: readonly Incident[]): void {
  printHead(
    `${title} | highest p99 of a second | refused, tried again | given up | as before after | events taken over`,
  )
  for (const incident of incidents) {
    const outcome = runWindow({ ...window, seconds: FAILURE_SECONDS, incidents: [incident] })
    const after = outcome.seconds.slice(Math.floor(incident.atMs / 1_000))
    const highest = Math.max(...after.map(({ p99Ms }) => p99Ms).filter((ms) => !Number.isNaN(ms)))
    const recovered = recoverySeconds(outcome.seconds, incident.atMs)
    const [taken] = outcome.takenOver
    printRow([
      incident.name,
      `${highest.toFixed(0)} ms`,
      `${outcome.refused}`,
      `${outcome.rejected}`,
      recovered === undefined ? `not within ${FAILURE_SECONDS} s` : `${recovered} s`,
      taken ? `${taken.events} after ${(taken.afterMs / 1_000).toFixed(1)} s` : '',
    ])
    outcomes[`${title}: ${incident.name}`] = outcome
  }
}

const CLUSTERS: readonly Cluster[] = [
  { share: 0.05, nodes: 10, workers: 2, coordinatorCores: 64 },
  { share: 0.1, nodes: 18, workers: 2, coordinatorCores: 64 },
  { share: 0.2, nodes: 34, workers: 4, coordinatorCores: 64 },
  { share: 0.5, nodes: 80, workers: 4, coordinatorCores: 64 },
  { share: 0.5, nodes: 80, workers: 16, coordinatorCores: 64 },
  { share: 1, nodes: 80, workers: 4, coordinatorCores: 64 },
  { share: 1, nodes: 80, workers: 8, coordinatorCores: 64 },
  { share: 1, nodes: 160, workers: 8, coordinatorCores: 64 },
  { share: 1, nodes: 160, workers: 32, coordinatorCores: 64 },
]

function printClusters(): void {
  const held: Cluster[] = []
  printHead(
    `Citus: share of the billion, nodes, workers, cores of the coordinator | ${HEAD} | coordinator busy | workers, busiest`,
  )
  for (const cluster of CLUSTERS) {
    const outcome = runWindow(ofCluster(cluster))
    const { share, nodes, workers, coordinatorCores } = cluster
    printRow([
      `${percent(share)}, ${nodes}, ${workers}, ${coordinatorCores}`,
      ...cellsOf(outcome),
      percent(outcome.coordinatorBusy),
      `${percent(outcome.workersBusy)}, ${percent(outcome.busiestWorker)}`,
    ])
    outcomes[`cluster ${JSON.stringify(cluster)}`] = outcome
    if (holds(outcome)) held.push(cluster)
    progress(`${percent(share)} on Citus`)
  }
  const most = held.at(-1)
  console.log(
    `\np99 under ${goalMs} ms: ${most ? `up to ${percent(most.share)}, with ${most.nodes} nodes and ${most.workers} workers` : 'NOT HELD'}`,
  )
}

console.log(
  `${visitsPerDay.toLocaleString('en')} visits a day, ${peak.toFixed(0)}/s in the busiest hour, each ${weight.toFixed(2)} times an ordinary one; seed ${seed}`,
)
printValidation()
const SPARE_NODES = 1
const nodes = printNodes() + SPARE_NODES
progress('nodes chosen')
printDay(nodes)
progress('a day simulated')
printFailures(`busiest hour, ${nodes} nodes`, ofInstallation(nodes, peakFactor), [
  nodeKilled(10_000, 4_000),
  databaseRestarted(10_000, 5_000, 'PostgreSQL'),
])
progress('failures simulated')
printClusters()
const [, cluster] = CLUSTERS
if (cluster)
  printFailures(`Citus, ${percent(cluster.share)} of the billion`, ofCluster(cluster), [
    nodeKilled(10_000, 4_000),
    databaseRestarted(10_000, 5_000, 'the busiest worker'),
    shardMoved(10_000, DATABASE_CORES),
  ])
console.log(`\n${JSON.stringify({ seed, outcomes })}`)
