import type { WriteOutcome } from '../write-operation.ts'
import type { EncodedOperation } from './encoded-operation.ts'

/** What a statement's parameter may be. */
export type Parameter = string | number | bigint | null | Uint8Array

export interface QueryResult {
  rows: Record<string, unknown>[]
  /** Rows inserted, changed or removed. */
  changes: number
  insertId: number
}

/** Main thread to database thread; they come in lists. */
export type Request =
  | { id: number; type: 'query'; sql: string; parameters: readonly Parameter[] }
  | { id: number; type: 'commit'; operations: EncodedOperation[] }
  | { id: number; type: 'close' }

/** Database thread to main thread; a list for a list. */
export type Response =
  | { id: number; ok: true; result: QueryResult | WriteOutcome[] | null }
  | { id: number; ok: false; message: string; code: string | undefined }

export interface WorkerData {
  file: string
  readOnly: boolean
}
