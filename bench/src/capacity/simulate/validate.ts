import { summarize } from '../../lib/samples.ts'
import { MEASURED } from '../measured.ts'
import { createChance } from './chance.ts'
import { createInstallation } from './installation.ts'
import type { Servers } from './servers.ts'
import { postgresServices } from './services.ts'
import { createSimulation } from './simulation.ts'

export interface Comparison {
  name: string
  unit: string
  measured: number
  simulated: number
}

/** `bench:ingest -- --engine postgres`: one node, PostgreSQL and the sender on two cores, 32 connections. */
const SIZE = {
  nodes: 1,
  nodeCores: 2,
  workers: 1,
  workerCores: 2,
  coordinatorCores: 0,
  domains: 1,
  isOneMachine: true,
}
const CONNECTIONS = 32
const WARM_UP_MS = 5_000
const MEASURED_MS = 30_000

/** Simulates a benchmark that was run, to see how far the simulation is from it. */
export function validate(seed: number): Comparison[] {
  const simulation = createSimulation()
  const installation = createInstallation(simulation, createChance(seed), SIZE, postgresServices(1))
  const [node] = installation.nodes
  const cores = installation.workers[0] as Servers
  const latencies: number[] = []

  function drive(): void {
    cores.use(MEASURED.sender.value / 1_000, () => {
      const arrivedAt = simulation.nowMs()
      node?.receive({ arrivedAt, domain: 0, tries: 0 }, () => {
        if (arrivedAt >= WARM_UP_MS) latencies.push(simulation.nowMs() - arrivedAt)
        drive()
      })
    })
  }
  for (let connection = 0; connection < CONNECTIONS; connection++) drive()
  simulation.runUntil(WARM_UP_MS + MEASURED_MS)

  const { p50, p99, count } = summarize(latencies)
  const { count: commits, visits } = installation.commits()
  return [
    ['acknowledged', '/s', 'validationRate', (count * 1_000) / MEASURED_MS] as const,
    ['p50', 'ms', 'validationP50', p50] as const,
    ['p99', 'ms', 'validationP99', p99] as const,
    ['visits a commit', '', 'validationCommit', visits / commits] as const,
  ].map(([name, unit, figure, simulated]) => ({ name, unit, measured: MEASURED[figure].value, simulated }))
}
