import { describe, expect, test } from 'vitest'
import { createChance, skewedDomains } from './chance.ts'
import { databaseRestarted, nodeKilled, recoverySeconds, shardMoved } from './incidents.ts'
import { runWindow, type Window } from './run-window.ts'
import { createServers } from './servers.ts'
import { citusServices, postgresServices } from './services.ts'
import { createSimulation } from './simulation.ts'
import { validate } from './validate.ts'

/** Mean wait in a queue of one server, in service times. */
function meanWait(busy: number, serviceMs: (mean: number) => number): number {
  const simulation = createSimulation()
  const chance = createChance(7)
  const server = createServers(simulation, 1)
  let [waits, count] = [0, 0]
  function arrive(): void {
    const [arrivedAt, ms] = [simulation.nowMs(), serviceMs(chance.share())]
    server.use(ms, () => {
      waits += simulation.nowMs() - arrivedAt - ms
      count += 1
    })
    simulation.after(chance.exponential(1 / busy), arrive)
  }
  arrive()
  simulation.runUntil(400_000)
  return waits / count
}

describe('a queue', () => {
  // https://en.wikipedia.org/wiki/M/D/1_queue, https://en.wikipedia.org/wiki/M/M/1_queue
  test.each([0.5, 0.8])('at %d waits as long as theory says', (busy) => {
    const exponential = (share: number): number => -Math.log(1 - share)
    const inTheory = busy / (1 - busy)
    expect(meanWait(busy, () => 1) / (inTheory / 2)).toBeCloseTo(1, 1)
    expect(meanWait(busy, exponential) / inTheory).toBeCloseTo(1, 1)
  })

  test('that stops fails what waits and what comes, and works again after the start', () => {
    const simulation = createSimulation()
    const server = createServers(simulation, 1)
    const ended: string[] = []
    const use = (name: string) =>
      server.use(
        1,
        () => ended.push(name),
        () => ended.push(`${name} failed`),
      )
    use('a')
    use('b')
    server.stop()
    use('c')
    simulation.runUntil(1)
    server.start()
    use('d')
    simulation.runUntil(3)
    expect(ended).toEqual(['a failed', 'b failed', 'c failed', 'd'])
  })
})

test('events run in the order of their time, and at one time in the order of their calls', () => {
  const simulation = createSimulation()
  const chance = createChance(3)
  const ran: number[] = []
  const delays = Array.from({ length: 500 }, () => chance.below(50))
  for (const [index, delay] of delays.entries()) simulation.after(delay, () => ran.push(index))
  simulation.runUntil(100)
  const expected = [...delays.keys()].sort((a, b) => (delays[a] ?? 0) - (delays[b] ?? 0) || a - b)
  expect(ran).toEqual(expected)
})

test('the largest domain has its share, and the others become smaller', () => {
  const pick = skewedDomains(50, 0.2)
  const chance = createChance(5)
  const counts = Array.from({ length: 50 }, () => 0)
  for (let visit = 0; visit < 100_000; visit++) {
    const domain = pick(chance.share())
    counts[domain] = (counts[domain] ?? 0) + 1
  }
  expect((counts[0] ?? 0) / 100_000).toBeCloseTo(0.2, 1)
  expect(counts[1]).toBeGreaterThan(counts[10] ?? 0)
  expect(counts[10]).toBeGreaterThan(counts[49] ?? 0)
})

const WINDOW: Window = {
  size: { nodes: 4, nodeCores: 2, workers: 3, workerCores: 8, coordinatorCores: 16, domains: 30 },
  services: citusServices(1),
  rate: 400,
  largestDomain: 0.2,
  seconds: 12,
  warmUpSeconds: 1,
  seed: 1,
}

describe('an installation', () => {
  const incidents = [
    nodeKilled(2_000, 1_000),
    databaseRestarted(4_000, 1_000, 'a worker'),
    shardMoved(1_000, 8),
  ]

  test('loses no visit from its books: arrived are acknowledged, rejected or in flight', () => {
    const outcome = runWindow({ ...WINDOW, incidents })
    expect(outcome.refused).toBeGreaterThan(0)
    expect(outcome.arrived).toBe(outcome.acknowledged + outcome.rejected + outcome.inFlight)
    // What is in flight is little more than what came in the last moment.
    expect(outcome.inFlight).toBeLessThan(WINDOW.rate)
    expect(outcome.takenOver).toHaveLength(1)
    expect(outcome.takenOver[0]?.afterMs).toBeGreaterThanOrEqual(10_000)
  })

  test('has the same outcome for the same seed, and another one for another', () => {
    const outcome = runWindow({ ...WINDOW, incidents })
    expect(runWindow({ ...WINDOW, incidents })).toEqual(outcome)
    expect(runWindow({ ...WINDOW, incidents, seed: 2 })).not.toEqual(outcome)
  })

  test('refuses visits that come while 2,048 are at a node, and rejects them after two more tries', () => {
    const size = { ...WINDOW.size, nodes: 1, workers: 1, coordinatorCores: 0 }
    const outcome = runWindow({ ...WINDOW, size, services: postgresServices(1), rate: 3_000 })
    expect(outcome.rejected).toBeGreaterThan(0)
    expect(outcome.inFlight).toBeGreaterThanOrEqual(2_048)
    expect(outcome.arrived).toBe(outcome.acknowledged + outcome.rejected + outcome.inFlight)
  })
})

test('recovery is counted until p99 is as before and nothing is refused', () => {
  const quiet = { p99Ms: 10, refused: 0 }
  const slow = { p99Ms: 100, refused: 0 }
  expect(recoverySeconds([quiet, quiet, slow, { p99Ms: 12, refused: 3 }, quiet], 2_000)).toBe(2)
  expect(recoverySeconds([quiet, quiet, quiet], 2_000)).toBe(0)
  expect(recoverySeconds([quiet, slow, slow], 1_000)).toBeUndefined()
})

test('the simulation of a benchmark that was run differs from it by at most a third, and its p99 by half', () => {
  for (const { name, measured, simulated } of validate(1)) {
    // Pauses of the runtime and of other programs are not simulated, as the guide says.
    expect(simulated / measured).toBeGreaterThan(name === 'p99' ? 0.5 : 0.67)
    expect(simulated / measured).toBeLessThan(1.33)
  }
})
