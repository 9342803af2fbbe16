import type { NewKey } from '../../visit/known-device.ts'
import {
  DELIVERY_COLUMNS,
  IDENTIFICATION_COLUMNS,
  OUTBOX_COLUMNS,
  REFINED_COLUMNS,
  STICKY_COLUMNS,
} from '../columns.ts'
import type { NewStickyVerdict, OutboxRenewal, WriteOperation, WriteOutcome } from '../store.ts'
import { type EncodedDevice, encodeDevice } from './apply-operations.ts'

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

/**
 * An operation as it crosses to the writer thread: values in the order of their columns. Objects would
 * carry every column's name along and cost more to copy than the row itself.
 */
export type EncodedOperation =
  | {
      type: 'identification'
      domainId: number
      row: Parameter[]
      snapshot: string | undefined
      outbox: Parameter[][]
      sticky: Parameter[] | undefined
      device: EncodedDevice | undefined
    }
  | {
      type: 'refinement'
      domainId: number
      requestId: Uint8Array | null
      /** Values of `REFINED_COLUMNS`. */
      row: Parameter[]
      snapshot: string | undefined
      outbox: OutboxRenewal[]
      sticky: Parameter[] | undefined
    }
  | { type: 'delivery'; outboxId: number; attempt: number; log: Parameter[]; retryAt: number | undefined }
  | { type: 'listing' }

export function encodeOperation(operation: WriteOperation): EncodedOperation {
  if (operation.type === 'listing') return operation
  if (operation.type === 'identification')
    return {
      type: 'identification',
      domainId: operation.row.domain_id,
      row: IDENTIFICATION_COLUMNS.map((name) => operation.row[name]),
      snapshot: operation.snapshot,
      outbox: operation.outbox.map((entry) => OUTBOX_COLUMNS.map((name) => entry[name])),
      sticky: stickyValues(operation.sticky),
      device: operation.device && encodeDevice(operation.device),
    }
  if (operation.type === 'refinement')
    return {
      type: 'refinement',
      domainId: operation.row.domain_id,
      requestId: operation.row.request_id,
      row: REFINED_COLUMNS.map((name) => operation.row[name]),
      snapshot: operation.snapshot,
      outbox: operation.outbox,
      sticky: stickyValues(operation.sticky),
    }
  return {
    type: 'delivery',
    outboxId: operation.outboxId,
    attempt: operation.log.attempt,
    log: DELIVERY_COLUMNS.map((name) => operation.log[name]),
    retryAt: operation.retryAt,
  }
}

const stickyValues = (sticky: NewStickyVerdict | undefined): Parameter[] | undefined =>
  sticky && STICKY_COLUMNS.map((name) => sticky[name])

/** Of keys that count for no spread. */
const NO_KIND = -1
const NUMBERS_PER_KEY = 3

/** Key, kind and whether it is listed, in turn: half a hundred objects would cost more to copy than all the rest. */
export const encodeNewKeys = (keys: readonly NewKey[]): Uint8Array =>
  new Uint8Array(
    Float64Array.from(keys.flatMap(({ key, kind, listed }) => [key, kind ?? NO_KIND, listed ? 1 : 0])).buffer,
  )

export function decodeNewKeys(bytes: Uint8Array): NewKey[] {
  // A copy, as numbers must lie on multiples of eight bytes.
  const numbers = new Float64Array(Uint8Array.from(bytes).buffer)
  return Array.from({ length: numbers.length / NUMBERS_PER_KEY }, (_, index) => {
    const [key = 0, kind = NO_KIND, listed = 0] = numbers.subarray(index * NUMBERS_PER_KEY)
    return { key, kind: kind === NO_KIND ? undefined : kind, listed: listed === 1 }
  })
}
