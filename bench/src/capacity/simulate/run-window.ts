import { summarize } from '../../lib/samples.ts'
import { type Chance, createChance, skewedDomains } from './chance.ts'
import {
  createInstallation,
  type Installation,
  type Size,
  type TakenOver,
  type Visit,
} from './installation.ts'
import type { Services } from './services.ts'
import { createSimulation, type Simulation } from './simulation.ts'

/** Something that happens to an installation. */
export interface Incident {
  atMs: number
  name: string
  happen(installation: Installation, simulation: Simulation): void
}

export interface Window {
  size: Size
  services: Services
  /** Visits a second; those who are refused come again. */
  rate: number
  largestDomain: number
  seconds: number
  /** Not measured. */
  warmUpSeconds: number
  seed: number
  incidents?: readonly Incident[]
}

export interface Second {
  p99Ms: number
  refused: number
}

export interface Outcome {
  arrived: number
  acknowledged: number
  /** Answers with 503 and broken connections, each of which is tried again twice. */
  refused: number
  /** Visits that were given up. */
  rejected: number
  inFlight: number
  p50Ms: number
  p99Ms: number
  perSecond: number
  visitsPerCommit: number
  domainWaitMostMs: number
  /** Shares of their time that processors worked; of the workers the busiest one as well. */
  nodesBusy: number
  workersBusy: number
  busiestWorker: number
  coordinatorBusy: number
  /** The longest queues in front of processors. */
  queueMost: number
  takenOver: readonly TakenOver[]
  seconds: Second[]
}

/** Waits of the agent before it sends a visit again. */
const RETRY_MS = [500, 2_000]
/** A balancer that finds one node down takes another one, once. */
const NODES_TRIED = 2

/** Simulates some seconds at one rate. The same window gives the same outcome. */
export function runWindow(window: Window): Outcome {
  const { size, seconds, warmUpSeconds } = window
  const simulation = createSimulation()
  const chance = createChance(window.seed)
  const installation = createInstallation(simulation, chance, size, window.services)
  const untilMs = (warmUpSeconds + seconds) * 1_000
  const warmUpMs = warmUpSeconds * 1_000
  const counts = { arrived: 0, acknowledged: 0, refused: 0, rejected: 0 }
  const latencies: number[][] = Array.from({ length: warmUpSeconds + seconds }, () => [])
  const refusals = latencies.map(() => 0)
  const second = (): number => Math.min(latencies.length - 1, Math.floor(simulation.nowMs() / 1_000))

  function send(visit: Visit): void {
    nodeFor(installation, chance).receive(visit, (answer) => {
      if (answer === 'acknowledged') {
        counts.acknowledged += 1
        latencies[second()]?.push(simulation.nowMs() - visit.arrivedAt)
        return
      }
      counts.refused += 1
      refusals[second()] = (refusals[second()] ?? 0) + 1
      const waitMs = RETRY_MS[visit.tries]
      if (waitMs === undefined) counts.rejected += 1
      else simulation.after(waitMs, () => send({ ...visit, tries: visit.tries + 1 }))
    })
  }

  const pick = skewedDomains(size.domains, window.largestDomain)
  function arrive(): void {
    counts.arrived += 1
    send({ arrivedAt: simulation.nowMs(), domain: pick(chance.share()), tries: 0 })
    simulation.after(chance.exponential(1_000 / window.rate), arrive)
  }
  arrive()
  for (const { atMs, happen } of window.incidents ?? [])
    simulation.after(warmUpMs + atMs, () => happen(installation, simulation))
  simulation.runUntil(warmUpMs)
  const before = usage(installation)
  simulation.runUntil(untilMs)
  const after = usage(installation)

  const measured = latencies.slice(warmUpSeconds)
  const { p50, p99, count } = summarize(measured.flat())
  const busy = (name: 'nodes' | 'workers', cores: number): number[] =>
    after[name].map((ms, index) => (ms - (before[name][index] ?? 0)) / (seconds * 1_000 * cores))
  const workers = busy('workers', size.workerCores)
  const commits = after.commits.count - before.commits.count
  return {
    ...counts,
    inFlight: counts.arrived - counts.acknowledged - counts.rejected,
    p50Ms: p50,
    p99Ms: p99,
    perSecond: count / seconds,
    visitsPerCommit: (after.commits.visits - before.commits.visits) / commits,
    domainWaitMostMs: installation.domainWaitMostMs(),
    nodesBusy: mean(busy('nodes', size.nodeCores)),
    workersBusy: mean(workers),
    busiestWorker: Math.max(...workers),
    coordinatorBusy:
      (after.coordinator - before.coordinator) / (seconds * 1_000 * Math.max(1, size.coordinatorCores)),
    queueMost: Math.max(...queues(installation)),
    takenOver: installation.takenOver(),
    seconds: measured.map((each, index) => ({
      p99Ms: each.length === 0 ? Number.NaN : summarize(each).p99,
      refused: refusals[index + warmUpSeconds] ?? 0,
    })),
  }
}

/** By chance, as visitors are spread by their addresses; past a node that is known to be down. */
function nodeFor({ nodes }: Installation, chance: Chance) {
  let node = nodes[chance.below(nodes.length)]
  for (let tries = 1; tries < NODES_TRIED && !node?.isUp(); tries++) node = nodes[chance.below(nodes.length)]
  if (!node) throw new Error('there is no node')
  return node
}

const usage = (installation: Installation) => ({
  nodes: installation.processors.map((each) => each.busyMs()),
  workers: installation.workers.map((each) => each.busyMs()),
  coordinator: installation.coordinator?.busyMs() ?? 0,
  commits: installation.commits(),
})

const queues = ({ processors, workers, coordinator }: Installation): number[] =>
  [...processors, ...workers, ...(coordinator ? [coordinator] : [])].map((each) => each.waitingMost())

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length
