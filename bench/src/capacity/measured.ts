import { type Figure, INGEST, SERVICES } from './figure.ts'
import { SERVICE_FIGURES } from './service-figures.ts'

/** Of all figures. The sender of the load, the nodes and the databases shared its cores. */
export const MACHINE =
  '2 cores (AMD EPYC, virtual), 24 GB, Linux, Node 26.10.0, PostgreSQL 18; Citus 13.2.2, built with -O1, on PostgreSQL 15.20'

const BUSY = 'other programs on the same cores'
const DISK = 'npm run bench:disk'
const DISK_POSTGRES = 'npm run bench:disk -- --engine postgres'
const QUIETEST = 'lowest so far'

const CITUS_FIT =
  'derived: two loads, 1.0 and 15.6 visits a commit, without what the jobs take (0.1 cores); the higher of two runs on Intel Xeon'

/** Of the plan. */
const OF_PLAN = {
  sqliteVisit: {
    value: 1_016,
    unit: 'µs of processor',
    what: 'a visit on SQLite, its commit included',
    command: INGEST,
    date: '2026-11-26',
    note: `${BUSY}; ${QUIETEST} 862`,
  },
  postgresVisitNode: {
    value: 988,
    unit: 'µs of processor',
    what: 'a visit on PostgreSQL, in the node',
    command: SERVICES,
    date: '2026-11-26',
    note: `at full load, 13 visits a commit; node and PostgreSQL together 1,555, ${QUIETEST} 1,249`,
  },
  postgresVisitDatabase: {
    value: 567,
    unit: 'µs of processor',
    what: 'a visit on PostgreSQL, in PostgreSQL',
    command: SERVICES,
    date: '2026-11-26',
    note: 'the same run',
  },
  sqlitePerSecond: {
    value: 1_395,
    unit: 'visits a second',
    what: 'SQLite at full load',
    command: INGEST,
    date: '2026-11-26',
    note: `the sender took a share of the two cores; ${BUSY}; most so far 1,588`,
  },
  nodeMemory: {
    value: 673,
    unit: 'MB',
    what: 'memory of a node under load for 15 minutes',
    command: 'npm run bench:soak',
    date: '2026-11-22',
    note: 'SQLite; 473 MB was the peak of a short load on PostgreSQL',
  },
  proof: {
    value: 0.44,
    unit: 'of a visit',
    what: 'ticket, digest and signature of a visit, more than the visit alone',
    command: 'npm --prefix bench run proofs',
    date: '2026-11-23',
    note: 'the higher of two runs, 0.31 and 0.44',
  },
  event: {
    value: 0.21,
    unit: 'of a visit',
    what: 'an event of a visit, more than the visit alone',
    command: `${SERVICES} -- --events`,
    date: '2026-11-24',
    note: `PostgreSQL; the higher of two pairs of runs, 0.09 and 0.21; ${BUSY}`,
  },
  decision: {
    value: 1,
    unit: 'of a visit',
    what: 'a decision',
    command: 'npm run bench:decide',
    date: '2026-11-24',
    note: 'not measured: taken as another visit, since it commits as well',
  },
  nodeReads: {
    value: 9_000,
    unit: 'bytes',
    what: 'read by a node for a visit: from the browser and from PostgreSQL',
    command: SERVICES,
    date: '2026-11-24',
    note: 'without encryption',
  },
  nodeWrites: {
    value: 12_500,
    unit: 'bytes',
    what: 'written by a node for a visit with an event',
    command: `${SERVICES} -- --events`,
    date: '2026-11-24',
    note: '6,900 without the event',
  },
  postgresLog: {
    value: 10_500,
    unit: 'bytes',
    what: 'write-ahead log of a visit with an event on PostgreSQL',
    command: `${SERVICES} -- --events`,
    date: '2026-11-24',
    note: 'without `wal_compression`; 8,100 without the event, 15,000 at 20 visits a second',
  },
  citusLog: {
    value: 10_700,
    unit: 'bytes',
    what: 'write-ahead log of a visit on the worker',
    command: SERVICES,
    date: '2026-11-24',
    note: '1,424 visits without events, `wal_level=logical`',
  },
  citusCommitCoordinator: {
    value: 2_800,
    unit: 'µs of processor',
    what: 'a commit on Citus, in the coordinator',
    command: SERVICES,
    date: '2026-11-27',
    note: CITUS_FIT,
  },
  citusVisitCoordinator: {
    value: 90,
    unit: 'µs of processor',
    what: 'each visit of it, in the coordinator',
    command: SERVICES,
    date: '2026-11-27',
    note: CITUS_FIT,
  },
  citusCommitOwner: {
    value: 2_660,
    unit: 'µs of processor',
    what: 'the same, in its worker',
    command: SERVICES,
    date: '2026-11-27',
    note: CITUS_FIT,
  },
  citusVisitOwner: {
    value: 590,
    unit: 'µs of processor',
    what: 'each visit of it, in its worker',
    command: SERVICES,
    date: '2026-11-27',
    note: CITUS_FIT,
  },
  sqliteBytes: {
    value: 1_704,
    unit: 'bytes',
    what: 'an identification with its indexes on SQLite',
    command: DISK,
    date: '2026-11-23',
    note: 'row 1,364, indexes 340',
  },
  sqliteSnapshotBytes: {
    value: 507,
    unit: 'bytes',
    what: 'its snapshot',
    command: DISK,
    date: '2026-11-23',
    note: 'of browsers that the dictionary knows; 150 more for other machines',
  },
  sqliteDeliveryBytes: {
    value: 455,
    unit: 'bytes',
    what: 'a delivery with what was sent',
    command: DISK,
    date: '2026-11-23',
    note: '',
  },
  sqliteDeviceBytes: {
    value: 8_600,
    unit: 'bytes',
    what: 'a device with its keys and counts',
    command: DISK,
    date: '2026-11-23',
    note: '860 for each visit, of which a tenth came from new devices',
  },
  sqliteWritten: {
    value: 65_000,
    unit: 'bytes',
    what: 'written to disk for a visit on SQLite',
    command: DISK,
    date: '2026-11-23',
    note: 'mostly pages of the write-ahead log',
  },
  postgresBytes: {
    value: 2_240,
    unit: 'bytes',
    what: 'an identification with its indexes on PostgreSQL',
    command: DISK_POSTGRES,
    date: '2026-11-23',
    note: 'the rows of the table under "Capacity" without snapshots and deliveries; 1,350 at 10,000,000 made-up rows',
  },
  postgresSnapshotBytes: {
    value: 545,
    unit: 'bytes',
    what: 'its snapshot',
    command: DISK_POSTGRES,
    date: '2026-11-23',
    note: 'of browsers that the dictionary knows; 150 more for other machines',
  },
  postgresDeliveryBytes: {
    value: 650,
    unit: 'bytes',
    what: 'a delivery with what was sent',
    command: DISK_POSTGRES,
    date: '2026-11-23',
    note: '',
  },
  postgresDeviceBytes: {
    value: 3_500,
    unit: 'bytes',
    what: 'a device with its keys',
    command: DISK_POSTGRES,
    date: '2026-11-23',
    note: 'without counts',
  },
} as const satisfies Record<string, Figure>

export const MEASURED = { ...OF_PLAN, ...SERVICE_FIGURES }

export type FigureName = keyof typeof MEASURED
