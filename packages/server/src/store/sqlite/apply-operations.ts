import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { type UuidBytes, uuidBytesOrNil } from '../../lib/uuid.ts'
import type { DeviceWrite } from '../../visit/known-device.ts'
import {
  DELIVERY_COLUMNS,
  IDENTIFICATION_COLUMNS,
  OUTBOX_COLUMNS,
  REFINED_COLUMNS,
  STICKY_COLUMNS,
} from '../columns.ts'
import { encodeProfile } from '../devices/devices.ts'
import { compressSnapshot } from '../identifications/snapshots.ts'
import type { Unlisted, WriteOutcome } from '../store.ts'
import { isOutage } from '../store-error.ts'
import { createListKeys, type ListKeys } from './list-keys.ts'
import { type EncodedOperation, encodeNewKeys } from './messages.ts'

const REQUEST_ID = IDENTIFICATION_COLUMNS.indexOf('request_id')

type Apply = (operations: readonly EncodedOperation[]) => WriteOutcome[]

/**
 * Applies a batch in one transaction. When the batch cannot be committed each operation is tried on its
 * own, so that a row the database refuses fails alone.
 */
export function createApplyOperations(db: DatabaseSync): Apply {
  const statements = prepare(db)
  const devices = createApplyDevice(db)
  const keys = createListKeys(db)

  function inTransaction(operations: readonly EncodedOperation[]): WriteOutcome[] {
    statements.begin.run()
    try {
      const outcomes = operations.map((operation) => apply(statements, devices, keys, operation))
      countVolume(statements, operations, outcomes)
      statements.commit.run()
      return outcomes
    } catch (error) {
      if (db.isTransaction) statements.rollback.run()
      keys.forget()
      throw error
    }
  }

  function alone(operation: EncodedOperation): WriteOutcome[] {
    try {
      return inTransaction([operation])
    } catch (error) {
      return [{ type: 'failed', message: String(error), outage: isOutage(error) }]
    }
  }

  return (operations) => {
    try {
      return inTransaction(operations)
    } catch (error) {
      // None of them is to blame, and waiting for the lock once for each would take minutes.
      if (isOutage(error)) throw error
      return operations.flatMap(alone)
    }
  }
}

function apply(
  statements: Statements,
  devices: ApplyDevice,
  keys: ListKeys,
  operation: EncodedOperation,
): WriteOutcome {
  if (operation.type === 'listing') return { type: 'listed', listing: keys.list() }
  if (operation.type === 'identification') return storeIdentification(statements, devices, operation)
  if (operation.type === 'refinement') return refine(statements, operation)
  return recordDelivery(statements, operation)
}

function storeIdentification(
  statements: Statements,
  devices: ApplyDevice,
  { domainId, row, snapshot, outbox, sticky, device }: Extract<EncodedOperation, { type: 'identification' }>,
): WriteOutcome {
  // A repeat is a repeat, whatever device it would make: linked again it would be taken for ever.
  if (device && devices.isTaken(device))
    return statements.isUsed.get(row[REQUEST_ID] ?? null) ? { type: 'duplicate' } : { type: 'taken' }
  const stored = statements.identification.run(...row)
  if (stored.changes === 0) return { type: 'duplicate' }
  const unlisted = device && devices.apply(device)
  if (snapshot !== undefined)
    statements.snapshot.run(stored.lastInsertRowid, domainId, compressSnapshot(snapshot))
  if (sticky) statements.sticky.run(...sticky)
  const outboxIds = outbox.map((entry) => Number(statements.outbox.run(...entry).lastInsertRowid))
  return { type: 'stored', outboxIds, unlisted }
}

function refine(
  statements: Statements,
  { domainId, requestId, row, snapshot, outbox, sticky }: Extract<EncodedOperation, { type: 'refinement' }>,
): WriteOutcome {
  const found = statements.identificationId.get(domainId, requestId)
  if (!found) return { type: 'gone' }
  const id = Number(found.id)
  statements.keepVersion.run(id)
  statements.refine.run(...row, id)
  if (snapshot !== undefined) statements.renewSnapshot.run(compressSnapshot(snapshot), id)
  if (sticky) statements.sticky.run(...sticky)
  const renewed = outbox.filter(
    (entry) => statements.renewOutbox.run(entry.body, entry.dueAt, entry.id, entry.heldUntil).changes > 0,
  )
  return { type: 'refined', renewed: renewed.map((entry) => entry.id) }
}

function recordDelivery(
  statements: Statements,
  { outboxId, attempt, log, retryAt }: Extract<EncodedOperation, { type: 'delivery' }>,
): WriteOutcome {
  statements.delivery.run(...log)
  if (retryAt === undefined) statements.removeOutbox.run(outboxId)
  else statements.postponeOutbox.run(attempt, retryAt, outboxId)
  return { type: 'recorded' }
}

/** One unit per stored identification; one update per domain and batch keeps the hot row cheap. */
function countVolume(
  statements: Statements,
  operations: readonly EncodedOperation[],
  outcomes: readonly WriteOutcome[],
): void {
  const used = new Map<number, number>()
  operations.forEach((operation, index) => {
    if (operation.type !== 'identification' || outcomes[index]?.type !== 'stored') return
    used.set(operation.domainId, (used.get(operation.domainId) ?? 0) + 1)
  })
  for (const [domainId, count] of used) statements.spend.run(count, domainId)
}

type Statements = Record<
  | 'begin'
  | 'commit'
  | 'rollback'
  | 'identification'
  | 'snapshot'
  | 'outbox'
  | 'delivery'
  | 'removeOutbox'
  | 'postponeOutbox'
  | 'spend'
  | 'sticky'
  | 'isUsed'
  | 'identificationId'
  | 'keepVersion'
  | 'refine'
  | 'renewSnapshot'
  | 'renewOutbox',
  StatementSync
>

function prepare(db: DatabaseSync): Statements {
  const insert = (table: string, columns: readonly string[], onConflict = '') =>
    db.prepare(
      `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')}) ${onConflict}`,
    )
  return {
    begin: db.prepare('begin immediate'),
    commit: db.prepare('commit'),
    rollback: db.prepare('rollback'),
    identification: insert('identifications', IDENTIFICATION_COLUMNS, 'on conflict do nothing'),
    snapshot: insert('snapshots', ['identification_id', 'domain_id', 'body']),
    outbox: insert('outbox', OUTBOX_COLUMNS),
    delivery: insert('deliveries', DELIVERY_COLUMNS),
    removeOutbox: db.prepare('delete from outbox where id = ?'),
    postponeOutbox: db.prepare('update outbox set attempts = ?, due_at = ? where id = ?'),
    isUsed: db.prepare('select 1 from identifications where request_id = ?'),
    sticky: insert('sticky_verdicts', STICKY_COLUMNS),
    identificationId: db.prepare('select id from identifications where domain_id = ? and request_id = ?'),
    keepVersion: db.prepare(
      `insert into versions (domain_id, identification_id, ver, score, flags, connection_type, verdict)
       select domain_id, id, ver, score, flags, connection_type, verdict from identifications where id = ?`,
    ),
    refine: db.prepare(
      `update identifications set ${REFINED_COLUMNS.map((name) => `${name} = ?`).join(', ')} where id = ?`,
    ),
    renewSnapshot: db.prepare('update snapshots set body = ? where identification_id = ?'),
    renewOutbox: db.prepare('update outbox set body = ?, due_at = ? where id = ? and due_at = ?'),
    spend: db.prepare('update domains set remaining = remaining - ? where id = ?'),
  }
}

interface EncodedProfile {
  deviceId: UuidBytes
  lastAt: number
  profile: string
  keys: Uint8Array
}

/** A device as it crosses to the writer thread. */
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
  ...encoded(profile),
  domainId,
  family,
  number,
  newKeys: encodeNewKeys(keys),
  merged: merged && { ...encoded(merged.profile), number: merged.number },
})

const encoded = (profile: DeviceWrite['profile']): EncodedProfile => ({
  deviceId: uuidBytesOrNil(profile.deviceId),
  lastAt: profile.lastAtMs,
  ...encodeProfile(profile),
})

export interface ApplyDevice {
  /** Whether a device that should be new is there already. */
  isTaken(device: EncodedDevice): boolean
  /** What of it is to be listed; undefined where it has no new key. */
  apply(device: EncodedDevice): Unlisted | undefined
}

/** Part of the transaction that stores an identification. */
export function createApplyDevice(db: DatabaseSync): ApplyDevice {
  const find = db.prepare('select 1 from devices where domain_id = ? and device_id = ?')
  const add = db.prepare(
    'insert into devices (domain_id, device_id, last_at, profile, keys) values (?, ?, ?, ?, ?)',
  )
  const change = db.prepare(
    'update devices set last_at = ?, profile = ?, keys = ? where id = ? and domain_id = ?',
  )
  const alias = db.prepare(
    'insert or replace into device_aliases (domain_id, device_id, merged_into, created_at) values (?, ?, ?, ?)',
  )
  const addKeys = db.prepare(
    'insert into unlisted_keys (domain_id, family, device, keys) values (?, ?, ?, ?)',
  )

  return {
    isTaken: ({ domainId, number, deviceId }) =>
      number === undefined && find.get(domainId, deviceId) !== undefined,

    apply({ domainId, family, number, deviceId, lastAt, profile, keys, newKeys, merged }) {
      if (number !== undefined) change.run(lastAt, profile, keys, number, domainId)
      const device = number ?? Number(add.run(domainId, deviceId, lastAt, profile, keys).lastInsertRowid)
      if (merged) {
        change.run(merged.lastAt, merged.profile, merged.keys, merged.number, domainId)
        alias.run(domainId, merged.deviceId, deviceId, lastAt)
      }
      if (newKeys.length === 0) return undefined
      return { id: Number(addKeys.run(domainId, family, device, newKeys).lastInsertRowid), device }
    },
  }
}
