import type { DatabaseSync, StatementSync } from 'node:sqlite'
import {
  columnNames,
  DELIVERY,
  IDENTIFICATION,
  OUTBOX_ENTRY,
  REFINED_COLUMNS,
  STICKY_VERDICT,
} from '../columns.ts'
import { compressSnapshot } from '../identifications/snapshots.ts'
import type { Unlisted, WriteOutcome } from '../store.ts'
import { isOutage } from '../store-error.ts'
import { createKeyLister, type KeyLister } from './list-keys.ts'
import type { EncodedDevice, EncodedOperation } from './messages.ts'

const IDENTIFICATION_NAMES = columnNames(IDENTIFICATION)
const REQUEST_ID = IDENTIFICATION_NAMES.indexOf('request_id')

type Operation<Type> = Extract<EncodedOperation, { type: Type }>

/**
 * Returns a function that writes a batch in one transaction. If the batch fails, each operation is tried alone, so
 * that only the operation at fault fails.
 * @throws in an outage: nothing was written
 */
export function createApplyOperations(
  db: DatabaseSync,
): (operations: readonly EncodedOperation[]) => WriteOutcome[] {
  const statements = prepare(db)
  const devices = createDeviceWriter(db)
  const keys = createKeyLister(db)

  function inTransaction(operations: readonly EncodedOperation[]): WriteOutcome[] {
    statements.begin.run()
    try {
      const outcomes = operations.map((operation) => apply(statements, devices, keys, operation))
      spendVolume(statements, operations, outcomes)
      statements.commit.run()
      return outcomes
    } catch (error) {
      if (db.isTransaction) statements.rollback.run()
      keys.reset()
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
      // No operation is at fault, and each would wait for the same lock again.
      if (isOutage(error)) throw error
      return operations.flatMap(alone)
    }
  }
}

function apply(
  statements: Statements,
  devices: DeviceWriter,
  keys: KeyLister,
  operation: EncodedOperation,
): WriteOutcome {
  if (operation.type === 'listing') return { type: 'listed', listing: keys.list() }
  if (operation.type === 'identification') return storeIdentification(statements, devices, operation)
  if (operation.type === 'refinement') return refine(statements, operation)
  return recordDelivery(statements, operation)
}

function storeIdentification(
  statements: Statements,
  devices: DeviceWriter,
  { domainId, row, snapshot, outbox, sticky, device }: Operation<'identification'>,
): WriteOutcome {
  // Check for a duplicate first: linking a repeated request again would find its own device taken every time.
  if (device && devices.isTaken(device))
    return statements.findRequest.get(row[REQUEST_ID] ?? null) ? { type: 'duplicate' } : { type: 'taken' }
  const stored = statements.identification.run(...row)
  if (stored.changes === 0) return { type: 'duplicate' }
  const unlisted = device && devices.write(device)
  if (snapshot !== undefined)
    statements.snapshot.run(stored.lastInsertRowid, domainId, compressSnapshot(snapshot))
  if (sticky) statements.sticky.run(...sticky)
  const outboxIds = outbox.map((entry) => Number(statements.outbox.run(...entry).lastInsertRowid))
  return { type: 'stored', outboxIds, unlisted }
}

function refine(
  statements: Statements,
  { domainId, requestId, row, snapshot, outbox, sticky }: Operation<'refinement'>,
): WriteOutcome {
  const found = statements.findIdentification.get(domainId, requestId)
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
  { outboxId, attempt, log, retryAt }: Operation<'delivery'>,
): WriteOutcome {
  statements.delivery.run(...log)
  if (retryAt === undefined) statements.removeOutbox.run(outboxId)
  else statements.postponeOutbox.run(attempt, retryAt, outboxId)
  return { type: 'recorded' }
}

/** One unit per stored identification. One update per domain and batch, as every identification changes this row. */
function spendVolume(
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
  | 'findRequest'
  | 'findIdentification'
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
    identification: insert('identifications', IDENTIFICATION_NAMES, 'on conflict do nothing'),
    snapshot: insert('snapshots', ['identification_id', 'domain_id', 'body']),
    outbox: insert('outbox', columnNames(OUTBOX_ENTRY)),
    delivery: insert('deliveries', columnNames(DELIVERY)),
    removeOutbox: db.prepare('delete from outbox where id = ?'),
    postponeOutbox: db.prepare('update outbox set attempts = ?, due_at = ? where id = ?'),
    findRequest: db.prepare('select 1 from identifications where request_id = ?'),
    sticky: insert('sticky_verdicts', columnNames(STICKY_VERDICT)),
    findIdentification: db.prepare('select id from identifications where domain_id = ? and request_id = ?'),
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

export interface DeviceWriter {
  /** Whether a device with the ID of a new one exists. */
  isTaken(device: EncodedDevice): boolean
  /** Returns the row with the new keys; undefined without new keys. */
  write(device: EncodedDevice): Unlisted | undefined
}

/** Writes devices as part of the transaction that stores their identifications. */
export function createDeviceWriter(db: DatabaseSync): DeviceWriter {
  const find = db.prepare('select 1 from devices where domain_id = ? and device_id = ?')
  const add = db.prepare(
    'insert into devices (domain_id, device_id, last_at, profile, keys) values (?, ?, ?, ?, ?)',
  )
  const change = db.prepare(
    'update devices set last_at = ?, profile = ?, keys = ? where id = ? and domain_id = ?',
  )
  const addAlias = db.prepare(
    'insert or replace into device_aliases (domain_id, device_id, merged_into, created_at) values (?, ?, ?, ?)',
  )
  const addKeys = db.prepare(
    'insert into unlisted_keys (domain_id, family, device, keys) values (?, ?, ?, ?)',
  )

  return {
    isTaken: ({ domainId, number, deviceId }) =>
      number === undefined && find.get(domainId, deviceId) !== undefined,

    write({ domainId, family, number, deviceId, lastAt, profile, keys, newKeys, merged }) {
      if (number !== undefined) change.run(lastAt, profile, keys, number, domainId)
      const device = number ?? Number(add.run(domainId, deviceId, lastAt, profile, keys).lastInsertRowid)
      if (merged) {
        change.run(merged.lastAt, merged.profile, merged.keys, merged.number, domainId)
        addAlias.run(domainId, merged.deviceId, deviceId, lastAt)
      }
      if (newKeys.length === 0) return undefined
      return { id: Number(addKeys.run(domainId, family, device, newKeys).lastInsertRowid), device }
    },
  }
}
