import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { FEED_IS_ON, isLateChange } from '../change-feed/is-late-change.ts'
import {
  columnNames,
  DECISION,
  DELIVERY,
  IDENTIFICATION,
  OUTBOX_ENTRY,
  REFINED_COLUMNS,
  STICKY_VERDICT,
} from '../columns.ts'
import { compressSnapshot } from '../identifications/snapshots.ts'
import { isOutage } from '../outages.ts'
import type { Unlisted, WriteOutcome } from '../store.ts'
import { addBytes, type Grown, newBytes, refinedBytes, UNMEASURED_BYTES } from '../stored-bytes.ts'
import type { VelocityBatch } from '../velocity/velocity-batch.ts'
import type { ForgottenCounts } from '../velocity/velocity-store.ts'
import { createKeyLister, type KeyLister } from './list-keys.ts'
import type { EncodedDevice, EncodedOperation } from './messages.ts'
import { velocityMemory } from './velocity-memory.ts'

const IDENTIFICATION_NAMES = columnNames(IDENTIFICATION)
const REQUEST_ID = IDENTIFICATION_NAMES.indexOf('request_id')
const CREATED_AT = IDENTIFICATION_NAMES.indexOf('created_at')
const BYTES = IDENTIFICATION_NAMES.indexOf('bytes')
const VELOCITY = IDENTIFICATION_NAMES.indexOf('velocity')
const REFINED_BYTES = REFINED_COLUMNS.indexOf('bytes')
const REFINED_VERDICT = REFINED_COLUMNS.indexOf('verdict')
const DECISION_NAMES = columnNames(DECISION)
const DECIDED_DOMAIN = DECISION_NAMES.indexOf('domain_id')
const DECIDED_REQUEST = DECISION_NAMES.indexOf('request_id')
const DECIDED_VER = DECISION_NAMES.indexOf('ver')
const REFINED_VER = REFINED_COLUMNS.indexOf('ver')

type Operation<Type> = Extract<EncodedOperation, { type: Type }>

export interface Writer {
  /**
   * Writes a batch in one transaction. If it fails, each operation is tried alone, so that only the operation at fault
   * fails.
   * @throws in an outage: nothing was written
   */
  apply(operations: readonly EncodedOperation[]): WriteOutcome[]
  /** See `VelocityStore`. */
  settleVelocity(forgotten?: ForgottenCounts): void
}

export function createWriter(db: DatabaseSync): Writer {
  const statements = prepare(db)
  const devices = createDeviceWriter(db)
  const keys = createKeyLister(db)
  const counts = velocityMemory(db)

  function inTransaction<Result>(work: () => Result): Result {
    statements.begin.run()
    try {
      const result = work()
      statements.commit.run()
      return result
    } catch (error) {
      if (db.isTransaction) statements.rollback.run()
      keys.reset()
      counts.drop()
      throw error
    }
  }

  const settleVelocity = (forgotten?: ForgottenCounts): void => inTransaction(() => counts.settle(forgotten))

  const together = (operations: readonly EncodedOperation[]): WriteOutcome[] =>
    inTransaction(() => {
      const grown: Grown = new Map()
      const velocity = counts.begin()
      const outcomes = operations.map((operation) =>
        applyOne(statements, { devices, keys, grown, velocity }, operation),
      )
      spendVolume(statements, operations, outcomes, grown)
      counts.save(velocity)
      return outcomes
    })

  function alone(operation: EncodedOperation): WriteOutcome[] {
    try {
      return together([operation])
    } catch (error) {
      return [{ type: 'failed', message: String(error), outage: isOutage(error) }]
    }
  }

  function apply(operations: readonly EncodedOperation[]): WriteOutcome[] {
    try {
      return together(operations)
    } catch (error) {
      // No operation is at fault, and each would wait for the same lock again.
      if (isOutage(error)) throw error
      // Once, instead of again after each operation that fails.
      settleVelocity()
      return operations.flatMap(alone)
    }
  }

  return { apply, settleVelocity }
}

interface Transaction {
  devices: DeviceWriter
  keys: KeyLister
  grown: Grown
  velocity: VelocityBatch
}

function applyOne(
  statements: Statements,
  transaction: Transaction,
  operation: EncodedOperation,
): WriteOutcome {
  if (operation.type === 'listing') return { type: 'listed', listing: transaction.keys.list() }
  if (operation.type === 'identification') return storeIdentification(statements, transaction, operation)
  if (operation.type === 'decision') return storeDecision(statements, operation)
  if (operation.type === 'refinement') return refine(statements, operation, transaction.grown)
  return recordDelivery(statements, operation)
}

function storeIdentification(
  statements: Statements,
  { devices, grown, velocity }: Transaction,
  { domainId, row, snapshot, outbox, sticky, device, velocity: hashes }: Operation<'identification'>,
): WriteOutcome {
  // Before the device: linking a repeated request again would find its own device taken every time. And before the
  // counts, in which it is already.
  if (statements.findRequest.get(row[REQUEST_ID] ?? null)) return { type: 'duplicate' }
  if (device && devices.isTaken(device)) return { type: 'taken' }
  const packed = snapshot === undefined ? undefined : compressSnapshot(snapshot)
  const counted = hashes && velocity.count({ domainId, hashes, atMs: Number(row[CREATED_AT]) })
  const complete = row.with(VELOCITY, counted ?? null)
  const bytes = newBytes([...complete, ...outbox.flat(), packed], device)
  complete[BYTES] = bytes
  const stored = statements.identification.run(...complete)
  const unlisted = device && devices.write(device)
  if (packed) statements.snapshot.run(stored.lastInsertRowid, domainId, packed)
  addBytes(grown, domainId, bytes)
  if (sticky) statements.sticky.run(...sticky)
  const outboxIds = outbox.map((entry) => Number(statements.outbox.run(...entry).lastInsertRowid))
  return { type: 'stored', outboxIds, unlisted }
}

function refine(statements: Statements, operation: Operation<'refinement'>, grown: Grown): WriteOutcome {
  const { domainId, requestId, row, snapshot, outbox, sticky } = operation
  const found = statements.findIdentification.get(domainId, requestId)
  if (!found) return { type: 'gone' }
  if (Number(found.ver) !== operation.earlierVer) return { type: 'outdated' }
  const id = Number(found.id)
  const packed = snapshot === undefined ? undefined : compressSnapshot(snapshot)
  const earlier = { bytes: Number(found.bytes ?? UNMEASURED_BYTES), snapshot: Number(found.snapshot ?? 0) }
  const later = { verdict: String(row[REFINED_VERDICT]), snapshot: packed?.length }
  const bytes = refinedBytes(earlier, later)
  addBytes(grown, domainId, bytes - earlier.bytes)
  statements.keepVersion.run(id)
  statements.refine.run(...row.with(REFINED_BYTES, bytes), id)
  if (!operation.isRescored) statements.outdate.run(row[REFINED_VER] ?? null, domainId, requestId)
  if (isLateChange(Number(found.created_at), Date.now()))
    statements.noteLate.run(domainId, id, row[REFINED_VER] ?? null)
  if (packed) statements.renewSnapshot.run(packed, id)
  if (sticky) statements.sticky.run(...sticky)
  if (operation.withdrawsSticky && statements.withdrawSticky.run(domainId, id, requestId).changes > 0)
    statements.bumpDirectory.run()
  const renewed = outbox.filter(
    (entry) => statements.renewOutbox.run(entry.body, entry.dueAt, entry.id, entry.heldUntil).changes > 0,
  )
  return { type: 'refined', renewed: renewed.map((entry) => entry.id) }
}

function storeDecision(statements: Statements, { row }: Operation<'decision'>): WriteOutcome {
  const visit = statements.findVersion.get(row[DECIDED_DOMAIN] ?? null, row[DECIDED_REQUEST] ?? null)
  if (!visit) return { type: 'gone' }
  // Evidence may have come while it was decided.
  const stale = visit.ver === row[DECIDED_VER] ? null : Number(visit.ver)
  return { type: statements.decision.run(...row, stale).changes > 0 ? 'decided' : 'used' }
}

function recordDelivery(
  statements: Statements,
  { outboxId, attempt, isAccepted, log, retryAt }: Operation<'delivery'>,
): WriteOutcome {
  const sent = [outboxId, attempt - 1] as const
  const remove = isAccepted ? statements.removeAccepted : statements.removeOutbox
  const { changes } =
    retryAt === undefined ? remove.run(...sent) : statements.postponeOutbox.run(attempt, retryAt, ...sent)
  // Otherwise the event was erased, or this or another node has recorded the attempt.
  if (changes > 0) statements.delivery.run(...log)
  return { type: 'recorded' }
}

/**
 * One unit per stored identification of an agent, and the bytes that all of them took. One update per domain and batch, as
 * every identification changes this row.
 * @throws when the domain was removed meanwhile
 */
function spendVolume(
  statements: Statements,
  operations: readonly EncodedOperation[],
  outcomes: readonly WriteOutcome[],
  grown: Grown,
): void {
  const used = new Map<number, number>()
  operations.forEach((operation, index) => {
    if (operation.type !== 'identification' || operation.isFree || outcomes[index]?.type !== 'stored') return
    used.set(operation.domainId, (used.get(operation.domainId) ?? 0) + 1)
  })
  for (const [domainId, bytes] of grown)
    if (statements.spend.run(used.get(domainId) ?? 0, bytes, domainId).changes === 0)
      throw new Error('the domain was removed')
}

type Statements = Record<
  | 'begin'
  | 'commit'
  | 'rollback'
  | 'identification'
  | 'snapshot'
  | 'outbox'
  | 'delivery'
  | 'decision'
  | 'findVersion'
  | 'removeOutbox'
  | 'removeAccepted'
  | 'postponeOutbox'
  | 'spend'
  | 'sticky'
  | 'withdrawSticky'
  | 'bumpDirectory'
  | 'findRequest'
  | 'findIdentification'
  | 'keepVersion'
  | 'refine'
  | 'outdate'
  | 'noteLate'
  | 'renewSnapshot'
  | 'renewOutbox',
  StatementSync
>

function prepare(db: DatabaseSync): Statements {
  const insert = (table: string, columns: readonly string[]) =>
    db.prepare(`insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`)
  return {
    begin: db.prepare('begin immediate'),
    commit: db.prepare('commit'),
    rollback: db.prepare('rollback'),
    identification: insert('identifications', IDENTIFICATION_NAMES),
    snapshot: insert('snapshots', ['identification_id', 'domain_id', 'body']),
    outbox: insert('outbox', columnNames(OUTBOX_ENTRY)),
    delivery: db.prepare(INSERT_DELIVERY),
    decision: db.prepare(INSERT_DECISION),
    findVersion: db.prepare('select ver from identifications where domain_id = ? and request_id = ?'),
    removeOutbox: db.prepare(`delete from outbox where ${IS_SENT_ENTRY}`),
    removeAccepted: db.prepare(`delete from outbox where ${IS_ACCEPTED_ENTRY}`),
    postponeOutbox: db.prepare(`update outbox set attempts = ?, due_at = ? where ${IS_SENT_ENTRY}`),
    findRequest: db.prepare('select 1 from identifications where request_id = ?'),
    sticky: insert('sticky_verdicts', columnNames(STICKY_VERDICT)),
    withdrawSticky: db.prepare(
      `delete from sticky_verdicts
       where domain_id = ? and device_id = (select device_id from identifications where id = ?) and request_id = ?`,
    ),
    // As `bumpForRemovedVerdicts`.
    bumpDirectory: db.prepare('update directory_version set version = version + 1'),
    findIdentification: db.prepare(
      `select i.id, i.created_at, i.ver, i.bytes, octet_length(s.body) as snapshot
       from identifications i left join snapshots s on s.identification_id = i.id
       where i.domain_id = ? and i.request_id = ?`,
    ),
    keepVersion: db.prepare(
      `insert into versions (domain_id, identification_id, ver, score, flags, connection_type, verdict)
       select domain_id, id, ver, score, flags, connection_type, verdict from identifications where id = ?`,
    ),
    refine: db.prepare(
      `update identifications set ${REFINED_COLUMNS.map((name) => `${name} = ?`).join(', ')} where id = ?`,
    ),
    outdate: db.prepare('update decisions set stale = ? where domain_id = ? and request_id = ?'),
    noteLate: db.prepare(
      `insert or ignore into late_changes (domain_id, kind, row_id, ver, key)
       select ?, 'identification', ?, ?, '' where ${FEED_IS_ON}`,
    ),
    renewSnapshot: db.prepare('update snapshots set body = ? where identification_id = ?'),
    renewOutbox: db.prepare('update outbox set body = ?, due_at = ? where id = ? and due_at = ?'),
    spend: db.prepare(
      'update domains set remaining = remaining - ?, stored_bytes = stored_bytes + ? where id = ?',
    ),
  }
}

const INSERT_DECISION = `insert into decisions (${DECISION_NAMES.join(', ')}, stale)
  values (${DECISION_NAMES.map(() => '?').join(', ')}, ?) on conflict do nothing`

/** The entry before the attempt that is recorded. */
const IS_SENT_ENTRY = 'id = ? and attempts = ?'
/** The receiver has the event, whatever another node that sent it at the same time has recorded before. */
const IS_ACCEPTED_ENTRY = 'id = ? and attempts >= ?'

const DELIVERY_NAMES = columnNames(DELIVERY)

/** The record of a send that ends after its domain was removed is not stored. */
const INSERT_DELIVERY = `insert into deliveries (${DELIVERY_NAMES.join(', ')})
  select ${DELIVERY_NAMES.map((_, index) => `?${index + 1}`).join(', ')}
  where exists (select 1 from domains where id = ?${DELIVERY_NAMES.indexOf('domain_id') + 1})`

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
