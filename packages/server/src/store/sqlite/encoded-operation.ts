import {
  DELIVERY_COLUMNS,
  IDENTIFICATION_COLUMNS,
  OUTBOX_COLUMNS,
  REFINED_COLUMNS,
  STICKY_COLUMNS,
} from '../columns.ts'
import type { NewStickyVerdict, OutboxRenewal, WriteOperation } from '../write-operation.ts'
import { type EncodedDevice, encodeDevice } from './apply-device.ts'
import type { Parameter } from './protocol.ts'

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
