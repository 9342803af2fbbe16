import { type FigureName, MEASURED } from './measured.ts'

export type Engine = { name: 'sqlite' } | { name: 'postgres' } | { name: 'citus'; workers: number }

/** What an installation has to carry. Shares are from 0 to 1. */
export interface Demand {
  visitsPerDay: number
  /** Visits in the busiest hour, in hours of the average. */
  peakFactor: number
  /** Of the visits: an event is sent, a decision is asked for, ticket and signature are checked, the device is new. */
  events: number
  decisions: number
  proofs: number
  newDevices: number
  /** `RETENTION_DAYS`, which removes the snapshot and the deliveries of a visit with it. */
  retentionDays: number
  /** `STORE_SNAPSHOTS` */
  snapshots: boolean
  /** Share of the largest domain, which is on one worker. */
  largestDomain: number
  engine: Engine
  /** On Citus a commit holds visits of one worker; how many come together at a node decides what it costs. */
  visitsPerCommit: number
  /** How busy processors may be in the busiest hour. */
  load: number
}

export interface Line {
  name: string
  amount: number
  unit: 'visits/s' | 'cores' | 'machines' | 'connections' | 'rows' | 'bytes' | 'bytes/s'
  /** How it follows from the lines above and from `figures`. */
  how: string
  figures: readonly FigureName[]
}

export interface Plan {
  lines: readonly Line[]
  /** Why it cannot be built like this; empty for a plan that holds. */
  obstacles: readonly string[]
}

const DAY_SECONDS = 86_400
/** A node has one busy thread and a few others. */
export const NODE_CORES = 1.5
const SPARE_NODES = 1
/** For index bloat, overlapping weeks and the write-ahead log. */
const DISK_FACTOR = 2
/** Larger machines exist, but neither a test nor a measurement of this project comes near. */
const MACHINE_CORES_MAX = 64
const LOG_PER_SECOND_MAX = 150e6
const CONNECTIONS_OF_NODE = { sqlite: 0, postgres: 33, citus: 41 }

const { value: PROOF } = MEASURED.proof

/** Sizes an installation. Pure: the same demand gives the same plan in the guide, in its calculator and in tests. */
export function planCapacity(demand: Demand): Plan {
  const average = demand.visitsPerDay / DAY_SECONDS
  const peak = average * demand.peakFactor
  const processors = planProcessors(demand, peak)
  return {
    lines: [
      line('average', average, 'visits/s', 'visits a day ÷ 86,400'),
      line('busiest hour', peak, 'visits/s', 'average × peak'),
      ...processors.lines,
      ...planDisk(demand),
    ],
    obstacles: processors.obstacles,
  }
}

const line = (
  name: string,
  amount: number,
  unit: Line['unit'],
  how: string,
  figures: readonly FigureName[] = [],
): Line => ({ name, amount, unit, how, figures })

function planProcessors(demand: Demand, peak: number): Plan {
  return demand.engine.name === 'sqlite'
    ? planSqlite(demand, peak)
    : planPostgres(demand, peak, demand.engine)
}

/** Visits, with their proofs, events and decisions expressed in visits. */
export const weightOf = ({
  proofs,
  events,
  decisions,
}: Pick<Demand, 'proofs' | 'events' | 'decisions'>): number =>
  1 + proofs * PROOF + events * MEASURED.event.value + decisions * MEASURED.decision.value

const EXTRAS: readonly FigureName[] = ['proof', 'event', 'decision']

function planSqlite(demand: Demand, peak: number): Plan {
  const cores = (peak * weightOf(demand) * MEASURED.sqliteVisit.value) / 1e6
  const perSecondMax = MEASURED.sqlitePerSecond.value * demand.load
  const weighted = peak * weightOf(demand)
  return {
    lines: [
      line('cores of the server', cores / demand.load, 'cores', 'busiest hour × processor time ÷ load', [
        'sqliteVisit',
        ...EXTRAS,
      ]),
      line('nodes', 1, 'machines', 'the embedded database has one'),
      line('memory of the server', MEASURED.nodeMemory.value * 1e6, 'bytes', 'a node', ['nodeMemory']),
      line('written to disk', peak * MEASURED.sqliteWritten.value, 'bytes/s', 'busiest hour × bytes', [
        'sqliteWritten',
      ]),
      ...planNetwork(peak),
    ],
    obstacles:
      weighted <= perSecondMax
        ? []
        : [`SQLite takes ${Math.floor(perSecondMax)} visits a second at this load: use PostgreSQL`],
  }
}

function planPostgres(demand: Demand, peak: number, engine: Exclude<Engine, { name: 'sqlite' }>): Plan {
  const weighted = (peak * weightOf(demand)) / demand.load / 1e6
  const nodeCores = weighted * MEASURED.postgresVisitNode.value
  const nodes = Math.ceil(nodeCores / NODE_CORES) + SPARE_NODES
  const databases = engine.name === 'citus' ? planCitus(demand, peak, engine.workers) : planOne(weighted)
  const log = engine.name === 'citus' ? 'citusLog' : 'postgresLog'
  const logPerSecond = peak * MEASURED[log].value
  const machines = engine.name === 'citus' ? engine.workers : 1
  return {
    lines: [
      line('cores of the nodes', nodeCores, 'cores', 'busiest hour × processor time ÷ load', [
        'postgresVisitNode',
        ...EXTRAS,
      ]),
      line('nodes', nodes, 'machines', `cores of the nodes ÷ ${NODE_CORES}, and one to spare`),
      line('memory of a node', MEASURED.nodeMemory.value * 1e6, 'bytes', 'each', ['nodeMemory']),
      ...databases.lines,
      line(
        'connections to the database',
        nodes * CONNECTIONS_OF_NODE[engine.name],
        'connections',
        `nodes × ${CONNECTIONS_OF_NODE[engine.name]}`,
      ),
      line('write-ahead log', logPerSecond, 'bytes/s', 'busiest hour × bytes, of all machines together', [
        log,
      ]),
      ...planNetwork(peak),
    ],
    obstacles: [
      ...databases.obstacles,
      ...(logPerSecond / machines <= LOG_PER_SECOND_MAX
        ? []
        : [
            `each machine would write ${Math.round(logPerSecond / machines / 1e6)} MB of log a second: use ${engine.name === 'citus' ? 'more workers' : 'Citus'}`,
          ]),
    ],
  }
}

function planOne(weighted: number): Plan {
  const cores = weighted * MEASURED.postgresVisitDatabase.value
  return {
    lines: [
      line('cores of PostgreSQL', cores, 'cores', 'busiest hour × processor time ÷ load', [
        'postgresVisitDatabase',
        ...EXTRAS,
      ]),
    ],
    obstacles:
      cores <= MACHINE_CORES_MAX
        ? []
        : [`PostgreSQL would need ${Math.ceil(cores)} cores in one machine: use Citus`],
  }
}

/** Every commit begins and ends at the coordinator, so it has a share of each, however many workers there are. */
function planCitus(demand: Demand, peak: number, workers: number): Plan {
  const { largestDomain, load } = demand
  const visits = (peak * weightOf(demand)) / load / 1e6
  const commits = peak / demand.visitsPerCommit / load / 1e6
  const coordinator =
    commits * MEASURED.citusCommitCoordinator.value + visits * MEASURED.citusVisitCoordinator.value
  const owners = commits * MEASURED.citusCommitOwner.value + visits * MEASURED.citusVisitOwner.value
  const hottest = owners * (largestDomain + (1 - largestDomain) / workers)
  const tooLarge = ([name, cores]: [string, number]): string[] =>
    cores <= MACHINE_CORES_MAX ? [] : [`the ${name} would need ${Math.ceil(cores)} cores in one machine`]
  return {
    lines: [
      line(
        'cores of the coordinator',
        coordinator,
        'cores',
        'commits and visits × their processor time ÷ load',
        ['citusCommitCoordinator', 'citusVisitCoordinator', ...EXTRAS],
      ),
      line('cores of all workers', owners, 'cores', 'commits and visits × their processor time ÷ load', [
        'citusCommitOwner',
        'citusVisitOwner',
        ...EXTRAS,
      ]),
      line('cores of the busiest worker', hottest, 'cores', 'the largest domain and its share of the others'),
    ],
    obstacles: [
      ['coordinator', coordinator] as [string, number],
      ['busiest worker', hottest] as [string, number],
    ].flatMap(tooLarge),
  }
}

const planNetwork = (peak: number): Line[] => [
  line('network, to the nodes', peak * MEASURED.nodeReads.value, 'bytes/s', 'busiest hour × bytes', [
    'nodeReads',
  ]),
  line('network, from the nodes', peak * MEASURED.nodeWrites.value, 'bytes/s', 'busiest hour × bytes', [
    'nodeWrites',
  ]),
]

function planDisk(demand: Demand): Line[] {
  const family = demand.engine.name === 'sqlite' ? 'sqlite' : 'postgres'
  const rows = demand.visitsPerDay * demand.retentionDays
  const bytes = (name: string, count: number, figure: FigureName): Line =>
    line(name, count * MEASURED[figure].value, 'bytes', 'count × bytes', [figure])
  const parts = [
    bytes('identifications with indexes', rows, `${family}Bytes`),
    bytes('snapshots', demand.snapshots ? rows : 0, `${family}SnapshotBytes`),
    bytes('deliveries', rows * demand.events, `${family}DeliveryBytes`),
    bytes('devices', rows * demand.newDevices, `${family}DeviceBytes`),
  ]
  const sum = parts.reduce((total, { amount }) => total + amount, 0)
  return [
    line('rows', rows, 'rows', 'visits a day × days'),
    ...parts,
    line(
      'disk',
      sum * DISK_FACTOR,
      'bytes',
      `${DISK_FACTOR} × the sum, for index bloat and the write-ahead log`,
    ),
    ...(family === 'sqlite' ? [] : logOfDay(demand)),
  ]
}

function logOfDay({ visitsPerDay, engine }: Demand): Line[] {
  const figure = engine.name === 'citus' ? 'citusLog' : 'postgresLog'
  return [
    line('write-ahead log of a day', visitsPerDay * MEASURED[figure].value, 'bytes', 'visits × bytes', [
      figure,
    ]),
  ]
}
