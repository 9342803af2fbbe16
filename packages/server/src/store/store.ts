import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import type { DeviceStore } from '../visit/known-device.ts'
import type { Schema } from './schema.ts'
import type { WriteOperation, WriteOutcome } from './write-operation.ts'

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
