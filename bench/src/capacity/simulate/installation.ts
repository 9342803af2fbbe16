import { MEASURED } from '../measured.ts'
import type { Chance } from './chance.ts'
import { type CommitGroup, createCommitGroup } from './commit-group.ts'
import { createServers, type Servers } from './servers.ts'
import type { Services } from './services.ts'
import type { Simulation } from './simulation.ts'

export interface Size {
  nodes: number
  nodeCores: number
  /** On Citus each database machine but the coordinator; otherwise the only one. */
  workers: number
  workerCores: number
  /** 0 on one PostgreSQL. */
  coordinatorCores: number
  domains: number
  /** All processes share the cores of the only worker, as in a measurement on one machine. */
  isOneMachine?: boolean
}

export interface Visit {
  arrivedAt: number
  domain: number
  tries: number
}

/** What a visit may meet at a node. */
export type Answer = 'acknowledged' | 'busy' | 'failed'

export interface Node {
  receive(visit: Visit, answer: (answer: Answer) => void): void
  /** Requests between their start and their answer. */
  load(): number
  isUp(): boolean
  kill(): void
  start(): void
}

/** Events that a killed node had not sent, and when another one has claimed the last of them. */
export interface TakenOver {
  events: number
  afterMs: number
}

export interface Installation {
  nodes: readonly Node[]
  workers: readonly Servers[]
  coordinator: Servers | undefined
  /** Processors of the nodes. */
  processors: readonly Servers[]
  /** The worker of a domain. */
  ownerOf(domain: number): number
  moveDomain(domain: number, worker: number): void
  /** While this returns true, commits of the domain wait. */
  blockDomain(domain: number, isBlocked: boolean): void
  commits(): { count: number; visits: number }
  takenOver(): readonly TakenOver[]
  /** How long commits waited for the row of the busiest domain, at most. */
  domainWaitMostMs(): number
}

/** The limits of the server; see `composition/surfaces.ts` and `store/postgres/pools.ts`. */
const IN_FLIGHT_MAX = 2_048
const COMMIT_CONNECTIONS = 2
const WORKER_COMMIT_CONNECTIONS = 8
/** See `deliver/dispatcher.ts`; each sweep claims this many. */
const HOLD_MS = 10_000
const SWEEP_MS = 500
const CLAIM_MAX = 500
const EVENT_SPREAD = 0.6
const BLOCK_POLL_MS = 20

/** Nodes and databases as queues, with the server's limits and measured service times. */
export function createInstallation(
  simulation: Simulation,
  chance: Chance,
  size: Size,
  services: Services,
): Installation {
  const isSplit = size.coordinatorCores > 0
  const workers = Array.from({ length: size.workers }, () => createServers(simulation, size.workerCores))
  const coordinator = isSplit ? createServers(simulation, size.coordinatorCores) : undefined
  const owners = Array.from({ length: size.domains }, (_, domain) => domain % size.workers)
  const rows = Array.from({ length: size.domains }, () => createServers(simulation, 1))
  const blocked = new Set<number>()
  const totals = { count: 0, visits: 0 }
  let domainWaitMostMs = 0
  const takenOver: TakenOver[] = []
  const processor = (ms: number): number => chance.logNormal(ms, services.processorSpread)

  /** Uses servers one after the other; the first that fails ends it. */
  function inTurn(steps: readonly [Servers, number][], end: (ok: boolean) => void): void {
    const [step, ...rest] = steps
    if (!step) end(true)
    else
      step[0].use(
        step[1],
        () => inTurn(rest, end),
        () => end(false),
      )
  }

  function write(batch: readonly Visit[], end: (ok: boolean) => void): void {
    // Domains are numbered by size: of the rows that a commit of several holds, that of the largest one matters.
    const domain = batch.reduce((least, visit) => Math.min(least, visit.domain), size.domains - 1)
    if (batch.some((visit) => blocked.has(visit.domain))) {
      simulation.after(BLOCK_POLL_MS, () => write(batch, end))
      return
    }
    const owner = workers[owners[domain] ?? 0] as Servers
    const ownMs = processor(services.commitOwnerMs + services.visitOwnerMs * batch.length)
    const steps: [Servers, number][] = [[owner, ownMs]]
    if (coordinator)
      steps.unshift([
        coordinator,
        processor(services.commitCoordinatorMs + services.visitCoordinatorMs * batch.length),
      ])
    inTurn(steps, (ok) => {
      if (!ok) return end(false)
      // The journeys between node and database, then the row of the domain until the commit is on disk.
      simulation.after(services.journeysMs, () => {
        const asksAt = simulation.nowMs()
        const turnMs = chance.logNormal(services.turnMs, services.diskSpread)
        rows[domain]?.use(turnMs, () => {
          domainWaitMostMs = Math.max(domainWaitMostMs, simulation.nowMs() - asksAt - turnMs)
          totals.count += 1
          totals.visits += batch.length
          end(true)
        })
      })
    })
  }

  function createNode(cores: Servers): Node {
    let life = 0
    let isUp = true
    let held = new Map<Visit, (answer: Answer) => void>()
    let state = begin()
    let unsent = 0

    function begin() {
      const connections = createServers(simulation, isSplit ? WORKER_COMMIT_CONNECTIONS : COMMIT_CONNECTIONS)
      return {
        thread: createServers(simulation, 1),
        connections,
        groups: new Map<number, CommitGroup<Visit>>(),
      }
    }

    /** A node's thread does one thing at a time, on one of the cores; other threads help it beside. */
    function compute(ms: number, done: () => void): void {
      const helperMs = ms * services.helperShare
      cores.use(helperMs, () => undefined)
      state.thread.hold((free) =>
        cores.use(ms - helperMs, () => {
          free()
          done()
        }),
      )
    }

    function groupOf(domain: number): CommitGroup<Visit> {
      const key = isSplit ? (owners[domain] ?? 0) : 0
      const known = state.groups.get(key)
      if (known) return known
      const { connections } = state
      const own = life
      const made = createCommitGroup<Visit>(
        simulation,
        (batch, end) =>
          compute(processor(services.commitNodeMs), () =>
            connections.hold((free) => {
              write(batch, (ok) => {
                free()
                end(ok)
              })
            }),
          ),
        (batch, ok) => {
          if (own === life) for (const visit of batch) settle(visit, ok ? 'acknowledged' : 'busy')
        },
      )
      state.groups.set(key, made)
      return made
    }

    function settle(visit: Visit, answer: Answer): void {
      const tell = held.get(visit)
      if (!tell) return
      held.delete(visit)
      if (answer === 'acknowledged') sendEvent()
      tell(answer)
    }

    function sendEvent(): void {
      const own = life
      unsent += 1
      simulation.after(chance.logNormal(MEASURED.eventMs.value, EVENT_SPREAD), () => {
        if (own === life) unsent -= 1
      })
    }

    return {
      load: () => held.size,
      isUp: () => isUp,
      receive(visit, answer) {
        if (!isUp) return answer('failed')
        if (held.size >= IN_FLIGHT_MAX) return answer('busy')
        held.set(visit, answer)
        const own = life
        compute(processor(services.visitNodeMs), () => {
          if (own === life && isUp) groupOf(visit.domain).add(visit)
        })
      },
      kill() {
        isUp = false
        life += 1
        const lost = held
        held = new Map()
        for (const tell of lost.values()) tell('failed')
        const sweeps = Math.max(1, Math.ceil(unsent / CLAIM_MAX))
        takenOver.push({ events: unsent, afterMs: HOLD_MS + (sweeps - 1 + chance.share()) * SWEEP_MS })
        unsent = 0
      },
      start() {
        isUp = true
        state = begin()
      },
    }
  }

  const processors = size.isOneMachine
    ? workers
    : Array.from({ length: size.nodes }, () => createServers(simulation, size.nodeCores))
  return {
    nodes: Array.from({ length: size.nodes }, (_, index) =>
      createNode(processors[index] ?? (processors[0] as Servers)),
    ),
    workers,
    coordinator,
    processors,
    ownerOf: (domain) => owners[domain] ?? 0,
    moveDomain(domain, worker) {
      owners[domain] = worker
    },
    blockDomain(domain, isBlocked) {
      if (isBlocked) blocked.add(domain)
      else blocked.delete(domain)
    },
    commits: () => ({ ...totals }),
    takenOver: () => takenOver,
    domainWaitMostMs: () => domainWaitMostMs,
  }
}
