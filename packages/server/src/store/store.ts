import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import type { DeviceNumber, DeviceStore, DeviceWrite } from '../visit/known-device.ts'
import type { ObjectStorage } from './cold/object-storage.ts'
import type { DECISION, DELIVERY, IDENTIFICATION, OUTBOX_ENTRY, RowOf, STICKY_VERDICT } from './columns.ts'
import type { Schema } from './schema.ts'
import type { VelocityStore } from './velocity/velocity-store.ts'

/** The open database of either engine. */
export interface Store {
  engine: 'sqlite' | 'postgres'
  /** For the read queries of requests; they never wait for a write. */
  reads: Kysely<Schema>
  /** For the long read queries of jobs; no request waits for them. */
  jobReads: Kysely<Schema>
  /** For rare writes, such as keys, endpoints and erasures. Transactions run one at a time. */
  writes: Kysely<Schema>
  /** The same for what may take minutes in a large database, such as removals. */
  longWrites: Kysely<Schema>
  /**
   * For single statements by which nodes agree, such as claims of events. On PostgreSQL they wait for no transaction of
   * `writes`; the embedded database has one writer for all.
   */
  claims: Kysely<Schema>
  /**
   * Runs reads of one credential or domain, named by `key`, when its share of the readers is free, so that the others
   * find some.
   * @throws AppError `INK_RATE_LIMITED` when too many of them wait
   */
  inShare<Result>(key: string, run: () => Promise<Result>): Promise<Result>
  /** Resolves when the database answers, over a connection that nothing else uses. */
  probe(): Promise<void>
  /** The known devices as of the last commit. */
  devices: DeviceStore
  velocity: VelocityStore
  secrets: SecretsKeeper
  /** Where bodies of old rows are; undefined where all are in the database. */
  cold: ObjectStorage | undefined
  /** Connections for what nodes share, such as limits; undefined for the embedded database. */
  pool: Pool | undefined
  /** Resolves once the operation is on disk. Concurrent operations share a commit. */
  commit(operation: WriteOperation): Promise<WriteOutcome>
  /**
   * Whether all commits that had been acknowledged `agoMs` ago can be read. On a cluster a worker that was stopped may end
   * one of them later: jobs that go by numbers wait for it, because its numbers are lower than those that follow.
   */
  areCommitsEnded(agoMs: number): Promise<boolean>
  /** Runs a job while holding its lock; undefined when another process holds it. */
  alone<Result>(job: JobName, run: () => Promise<Result>): Promise<Result | undefined>
  /** Size of the database and free space on its disk, in bytes; the latter only where it is visible. */
  size(): Promise<{ bytes: number; freeBytes: number | undefined }>
  /**
   * Describes the database for the operator.
   * @throws when it does not respond or is damaged
   */
  check(): Promise<string>
  /** Completes pending operations, then closes the database. */
  close(): Promise<void>
}

/** Jobs over stored rows; each runs in one process at a time. */
export type JobName =
  | 'rollups'
  | 'patterns'
  | 'retention'
  | 'scrubs'
  | 'velocity'
  | 'listing'
  | 'cases'
  | 'alerts'
  | 'alert_checks'
  | 'change_feed'
  | 'cold_storage'

/** Storage of the generated secrets, shared by all processes of an installation. */
export interface SecretsKeeper {
  read(): Promise<string | undefined>
  /** Stores the text unless there are secrets already. */
  add(text: string): Promise<void>
}

/** Rows to insert; the database assigns the `id`. */
export type NewIdentification = RowOf<typeof IDENTIFICATION>
export type NewOutboxEntry = RowOf<typeof OUTBOX_ENTRY>
export type NewDelivery = RowOf<typeof DELIVERY>
export type NewDecision = RowOf<typeof DECISION>
export type NewStickyVerdict = RowOf<typeof STICKY_VERDICT>

/** Replaces the body of an event that waits for the final version, unless another process has claimed it. */
export interface OutboxRenewal {
  id: number
  body: Uint8Array
  /** `due_at` as this process wrote it. */
  heldUntil: number
  dueAt: number
}

/** A write that shares its commit with others. It is applied completely or not at all. */
export type WriteOperation =
  | {
      type: 'identification'
      row: NewIdentification
      snapshot: string | undefined
      outbox: NewOutboxEntry[]
      sticky?: NewStickyVerdict | undefined
      device?: DeviceWrite | undefined
      /** Whether it uses none of the included volume, as it was not made by the agent. */
      isFree?: boolean | undefined
      /** Hashes of what the visit is counted by: see `subject-hashes.ts`. Undefined where it is not counted. */
      velocity?: Uint8Array | undefined
    }
  /** A later version of the identification with the same request ID. The earlier version is kept. */
  | {
      type: 'refinement'
      row: NewIdentification
      /** The stored version that it was computed from. */
      earlierVer: number
      /** Whether it comes from other rules and not from evidence: nobody decides again, and nobody is told. */
      isRescored?: boolean | undefined
      /** Whether the verdict that an earlier version left for later visits of the device no longer holds. */
      withdrawsSticky?: boolean | undefined
      snapshot: string | undefined
      outbox: OutboxRenewal[]
      sticky?: NewStickyVerdict | undefined
    }
  | { type: 'delivery'; outboxId: number; log: NewDelivery; retryAt: number | undefined }
  /** An answer about a stored identification, once for each purpose. */
  | { type: 'decision'; row: NewDecision }
  /** Moves some keys from `unlisted_keys` to `device_keys`. */
  | { type: 'listing' }

/** Whether the receiver said that it has the event. */
export const isAccepted = ({ status }: Pick<NewDelivery, 'status'>): boolean =>
  status !== null && status >= 200 && status < 300

/** Whether the client retries on its own, as the agent does with an identification. */
export const isRetriedByClient = ({ type }: WriteOperation): boolean => type === 'identification'

/**
 * How long an operation may wait for others to share its commit. Nobody waits for the record of a delivery, pages send
 * visits by the hundred, and a person waits for a decision.
 */
export const joinWithinMs = ({ type }: WriteOperation): number =>
  type === 'delivery' || type === 'listing' ? 10 : type === 'decision' ? 0 : 2

/** The row of `unlisted_keys` with a device's new keys. */
export interface Unlisted {
  id: number
  device: DeviceNumber
}

/** Progress of listing: the rows up to `through` are listed, up to this domain and key if `upTo` is given. */
export interface Listing {
  through: number
  upTo: { domainId: number; key: number } | undefined
}

export type WriteOutcome =
  /** `outboxIds` has the order of the entries. */
  | { type: 'stored'; outboxIds: number[]; unlisted: Unlisted | undefined }
  /** The request ID is already stored; nothing was written. */
  | { type: 'duplicate' }
  /** A device with the ID of the new one exists; nothing was written. */
  | { type: 'taken' }
  /** The stored version is another one than it was computed from; nothing was written. */
  | { type: 'outdated' }
  /** `renewed` lists the events that have the new body and still belong to this process. */
  | { type: 'refined'; renewed: number[] }
  /** The identification was erased; nothing was written. */
  | { type: 'gone' }
  | { type: 'decided' }
  /** The identification or the idempotency key has a decision; nothing was written. */
  | { type: 'used' }
  | { type: 'recorded' }
  | { type: 'listed'; listing: Listing }
  /** Only this operation failed; `outage` says whether a retry may succeed. */
  | { type: 'failed'; message: string; outage: boolean }
