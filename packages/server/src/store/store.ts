import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import type { DeviceNumber, DeviceStore, DeviceWrite } from '../visit/known-device.ts'
import type { DeliveryTable, IdentificationTable, OutboxTable, Schema, StickyVerdictTable } from './schema.ts'

/** Work that goes over stored rows, which one process at a time does. */
export type JobName = 'rollups' | 'patterns' | 'retention' | 'listing'

/** Text of the generated secrets, kept where every process of the installation finds them. */
export interface SecretsKeeper {
  read(): Promise<string | undefined>
  /** Keeps it, unless another process was faster. */
  add(text: string): Promise<void>
}

/** The open database, whatever the engine. */
export interface Store {
  engine: 'sqlite' | 'postgres'
  /** For queries that change nothing; they never wait for a write. */
  reads: Kysely<Schema>
  /** For the long reads of jobs: no request waits for one of them. */
  jobReads: Kysely<Schema>
  /** For the rare writes: keys, endpoints, erasure. Transactions run one at a time. */
  writes: Kysely<Schema>
  /** What is remembered of devices, as of the last commit. */
  devices: DeviceStore
  secrets: SecretsKeeper
  /** What processes of one installation share; undefined for the embedded database, which has one process. */
  pool: Pool | undefined
  /** Resolves once the operation is on disk; many callers share one commit. */
  commit(operation: WriteOperation): Promise<WriteOutcome>
  /** Runs a job; undefined when another process is running it. */
  alone<Result>(job: JobName, run: () => Promise<Result>): Promise<Result | undefined>
  /** Bytes that the database takes, and that are left on its disk, where that can be seen. */
  size(): Promise<{ bytes: number; freeBytes: number | undefined }>
  /**
   * What it is, in words for the operator.
   * @throws when it does not answer, or is damaged
   */
  check(): Promise<string>
  /** Finishes what was handed over, then closes. */
  close(): Promise<void>
}

/** A row as it is written: the database gives the id. */
export type NewIdentification = Omit<IdentificationTable, 'id'>
export type NewOutboxEntry = Omit<OutboxTable, 'id'>
export type NewDelivery = Omit<DeliveryTable, 'id'>
export type NewStickyVerdict = Omit<StickyVerdictTable, 'id'>

/** An event that waits for the final version: its bytes are replaced, provided nobody else took it since. */
export interface OutboxRenewal {
  id: number
  body: Uint8Array
  /** As it was written. */
  heldUntil: number
  dueAt: number
}

/** Writes that share a commit. Each is applied whole or not at all. */
export type WriteOperation =
  | {
      type: 'identification'
      row: NewIdentification
      snapshot: string | undefined
      outbox: NewOutboxEntry[]
      sticky?: NewStickyVerdict | undefined
      /** What is remembered of the device from now on. */
      device?: DeviceWrite | undefined
    }
  /** A later version of a stored identification, found by its request ID; the earlier one is kept aside. */
  | {
      type: 'refinement'
      row: NewIdentification
      snapshot: string | undefined
      outbox: OutboxRenewal[]
      sticky?: NewStickyVerdict | undefined
    }
  | { type: 'delivery'; outboxId: number; log: NewDelivery; retryAt: number | undefined }
  /** Lists some of the keys that are not listed yet. */
  | { type: 'listing' }

/** A visitor's agent sends the identification again. */
export const canGiveUp = ({ type }: WriteOperation): boolean => type === 'identification'

/** Nobody waits for these. */
export const canWait = ({ type }: WriteOperation): boolean => type === 'delivery' || type === 'listing'

/** A device whose new keys are not listed yet, and the row that holds them. */
export interface Unlisted {
  id: number
  device: DeviceNumber
}

/** How far keys are listed: of the rows up to `through` those up to this domain and key, or all. */
export interface Listing {
  through: number
  upTo: { domainId: number; key: number } | undefined
}

export type WriteOutcome =
  /** `outboxIds` are in the order of the entries. */
  | { type: 'stored'; outboxIds: number[]; unlisted: Unlisted | undefined }
  /** The request ID was used before: nothing was written. */
  | { type: 'duplicate' }
  /** The device that should be new is there already: nothing was written. */
  | { type: 'taken' }
  /** `renewed` are the events that carry the new bytes and are still this process's to send. */
  | { type: 'refined'; renewed: number[] }
  /** Nothing to refine: the identification was erased. */
  | { type: 'gone' }
  | { type: 'recorded' }
  | { type: 'listed'; listing: Listing }
  /** This operation alone could not be written; after an outage the same may be. */
  | { type: 'failed'; message: string; outage: boolean }
