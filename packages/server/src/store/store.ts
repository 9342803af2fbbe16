import type { Kysely } from 'kysely'
import type { DeviceStore } from '../known-device.ts'
import type { Schema } from './schema.ts'
import type { WriteOperation, WriteOutcome } from './write-operation.ts'

/** The open database, whatever the engine. */
export interface Store {
  /** For queries that change nothing; they never wait for a write. */
  reads: Kysely<Schema>
  /** For the long reads of jobs: no request waits for one of them. */
  jobReads: Kysely<Schema>
  /** For the rare writes: keys, endpoints, erasure. */
  writes: Kysely<Schema>
  /** What is remembered of devices, as of the last commit. */
  devices: DeviceStore
  /** Resolves once the operation is on disk; many callers share one commit. */
  commit(operation: WriteOperation): Promise<WriteOutcome>
  /** Finishes what was handed over, then closes. */
  close(): Promise<void>
}
