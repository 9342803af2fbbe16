import { uuidBytesOrNil } from '../../lib/uuid.ts'
import type { DeviceWrite, NewKey } from '../../visit/known-device.ts'
import {
  type Columns,
  columnNames,
  DECISION,
  DELIVERY,
  IDENTIFICATION,
  OUTBOX_ENTRY,
  REFINED_COLUMNS,
  STICKY_VERDICT,
} from '../columns.ts'
import { encodeProfile } from '../devices/devices.ts'
import { isAccepted, type OutboxRenewal, type WriteOperation, type WriteOutcome } from '../store.ts'
import type { ForgottenCounts } from '../velocity/velocity-store.ts'

/**
 * Messages between the main thread and a database thread. Rows travel as values in the order of their columns:
 * objects would carry the name of each column along and cost more to copy than the values.
 */

/** A parameter of a statement. */
export type Parameter = string | number | bigint | null | Uint8Array

export interface QueryResult {
  rows: Record<string, unknown>[]
  /** Number of rows that were inserted, updated or deleted. */
  changes: number
  insertId: number
}

/** To the database thread; sent as arrays. */
export type Request =
  | { id: number; type: 'query'; sql: string; parameters: readonly Parameter[] }
  | { id: number; type: 'commit'; operations: EncodedOperation[] }
  | { id: number; type: 'settle'; forgotten: ForgottenCounts | undefined }
  | { id: number; type: 'close' }

/** From the database thread: one array for each array of requests. */
export type Response =
  | { id: number; ok: true; result: QueryResult | WriteOutcome[] | null }
  | { id: number; ok: false; message: string; code: string | undefined }

export interface WorkerData {
  file: string
  readOnly: boolean
}

export type EncodedOperation =
  | {
      type: 'identification'
      domainId: number
      row: Parameter[]
      snapshot: string | undefined
      outbox: Parameter[][]
      sticky: Parameter[] | undefined
      device: EncodedDevice | undefined
      isFree: boolean
      velocity: Uint8Array | undefined
    }
  | {
      type: 'refinement'
      domainId: number
      requestId: Uint8Array | null
      earlierVer: number
      isRescored: boolean
      withdrawsSticky: boolean
      /** Values of `REFINED_COLUMNS`. */
      row: Parameter[]
      snapshot: string | undefined
      outbox: OutboxRenewal[]
      sticky: Parameter[] | undefined
    }
  | { type: 'decision'; row: Parameter[] }
  | {
      type: 'delivery'
      outboxId: number
      attempt: number
      isAccepted: boolean
      log: Parameter[]
      retryAt: number | undefined
    }
  | { type: 'listing' }

/** Returns a function that lists a row's values in the order of the columns. */
function valuesOf<Name extends string>(names: readonly Name[]) {
  return (row: Readonly<Record<Name, Parameter>>): Parameter[] => names.map((name) => row[name])
}
const allValues = <Definition extends Columns>(definition: Definition) => valuesOf(columnNames(definition))

const identificationValues = allValues(IDENTIFICATION)
const refinedValues = valuesOf(REFINED_COLUMNS)
const outboxValues = allValues(OUTBOX_ENTRY)
const stickyValues = allValues(STICKY_VERDICT)
const deliveryValues = allValues(DELIVERY)
const decisionValues = allValues(DECISION)

export function encodeOperation(operation: WriteOperation): EncodedOperation {
  if (operation.type === 'listing') return operation
  if (operation.type === 'decision') return { type: 'decision', row: decisionValues(operation.row) }
  if (operation.type === 'identification')
    return {
      type: 'identification',
      domainId: operation.row.domain_id,
      row: identificationValues(operation.row),
      snapshot: operation.snapshot,
      outbox: operation.outbox.map(outboxValues),
      sticky: operation.sticky && stickyValues(operation.sticky),
      device: operation.device && encodeDevice(operation.device),
      isFree: operation.isFree === true,
      velocity: operation.velocity,
    }
  if (operation.type === 'refinement')
    return {
      type: 'refinement',
      domainId: operation.row.domain_id,
      requestId: operation.row.request_id,
      earlierVer: operation.earlierVer,
      isRescored: operation.isRescored === true,
      withdrawsSticky: operation.withdrawsSticky === true,
      row: refinedValues(operation.row),
      snapshot: operation.snapshot,
      outbox: operation.outbox,
      sticky: operation.sticky && stickyValues(operation.sticky),
    }
  return {
    type: 'delivery',
    outboxId: operation.outboxId,
    attempt: operation.log.attempt,
    isAccepted: isAccepted(operation.log),
    log: deliveryValues(operation.log),
    retryAt: operation.retryAt,
  }
}

interface EncodedProfile {
  deviceId: Uint8Array
  lastAt: number
  profile: string
  keys: Uint8Array
}

export interface EncodedDevice extends EncodedProfile {
  domainId: number
  family: number
  number: number | undefined
  newKeys: Uint8Array
  merged: (EncodedProfile & { number: number }) | undefined
}

export const encodeDevice = ({
  domainId,
  family,
  number,
  profile,
  keys,
  merged,
}: DeviceWrite): EncodedDevice => ({
  ...profileColumns(profile),
  domainId,
  family,
  number,
  newKeys: encodeNewKeys(keys),
  merged: merged && { ...profileColumns(merged.profile), number: merged.number },
})

const profileColumns = (profile: DeviceWrite['profile']): EncodedProfile => ({
  deviceId: uuidBytesOrNil(profile.deviceId),
  lastAt: profile.lastAtMs,
  ...encodeProfile(profile),
})

/** Stands for a key without a kind. */
const NO_KIND = -1
const NUMBERS_PER_KEY = 3

/**
 * The column `unlisted_keys.keys`: triples of key, kind and whether it is listed. A device has about fifty keys, which
 * would cost more to copy as objects than the rest of the operation.
 */
export const encodeNewKeys = (keys: readonly NewKey[]): Uint8Array =>
  new Uint8Array(
    Float64Array.from(keys.flatMap(({ key, kind, listed }) => [key, kind ?? NO_KIND, listed ? 1 : 0])).buffer,
  )

export function decodeNewKeys(bytes: Uint8Array): NewKey[] {
  // Copied, because a Float64Array must start at a multiple of eight bytes.
  const numbers = new Float64Array(Uint8Array.from(bytes).buffer)
  return Array.from({ length: numbers.length / NUMBERS_PER_KEY }, (_, index) => {
    const [key = 0, kind = NO_KIND, listed = 0] = numbers.subarray(index * NUMBERS_PER_KEY)
    return { key, kind: kind === NO_KIND ? undefined : kind, listed: listed === 1 }
  })
}
