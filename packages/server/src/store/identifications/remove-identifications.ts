import type { IdentificationScored, SearchType } from '@inkling/contract'
import type { Kysely } from 'kysely'
import { NIL_UUID_BYTES, uuidBytesOrNil } from '../../lib/uuid.ts'
import { type ForgetOptions, forgetDevices } from '../devices/devices.ts'
import { bumpDirectoryVersion, domainStore } from '../domains/domains.ts'
import { DOMAIN_BESIDE_IDS, engineSql } from '../engine-sql.ts'
import { forgetEntity, forgetFindingRows } from '../findings/forget-findings.ts'
import { dropOldPartitions } from '../postgres/partitions.ts'
import { keepCounts } from '../roll-ups/counts.ts'
import type { Schema } from '../schema.ts'
import type { Store } from '../store.ts'
import type { IdentificationRow, Lookup } from './identifications.ts'

/** Few enough that identifications which come in meanwhile wait a moment at most. */
const BATCH = 200

/**
 * Removes every trace of one identifier and tells how many identifications that were. Each batch is a
 * transaction of its own: an erasure that is interrupted is simply asked for again.
 * @param value as the wire has it, of which `lookup` is the column's form
 */
export async function erase(
  store: Store,
  domainId: number,
  { type, value }: { type: SearchType; value: string },
  lookup: NonNullable<Lookup>,
): Promise<number> {
  let removed = 0
  for (;;) {
    const batch = await store.writes.transaction().execute(async (transaction) => {
      const rows = await rowsToErase(transaction, domainId, lookup)
      await removeIdentifications(transaction, domainId, rows, { evenIfSeenElsewhere: inProfiles(type) })
      return rows.length
    })
    removed += batch
    if (batch < BATCH) break
  }
  await store.writes.transaction().execute(async (transaction) => {
    if (type === 'device_id') await removeStickyOf(transaction, domainId, 'device_id', uuidBytesOrNil(value))
    if (type === 'ip') {
      await removeStickyOf(transaction, domainId, 'address', value)
      await removeMarkerEvents(transaction, domainId, value)
      await forgetEntity(transaction, { domainId, type: 'local_ip', value })
    }
    if (type === 'device_id' || type === 'visitor_id')
      await forgetEntity(transaction, { domainId, type, value: value.toLowerCase() })
    if (type === 'user_hid') await forgetEntity(transaction, { domainId, type, value })
    // Servers that keep verdicts in memory read them again.
    await bumpDirectoryVersion(transaction)
  })
  return removed
}

type ErasedRow = Pick<IdentificationRow, 'id' | 'request_id' | 'device_id'>

const rowsToErase = (
  transaction: Kysely<Schema>,
  domainId: number,
  { column, value }: NonNullable<Lookup>,
): Promise<ErasedRow[]> =>
  transaction
    .selectFrom('identifications')
    .select(['id', 'request_id', 'device_id'])
    .where('domain_id', '=', domainId)
    .where(column, value === null ? 'is' : '=', value)
    .limit(BATCH)
    .execute()

/** Removes identifications and all that hangs on them. */
export async function removeIdentifications(
  transaction: Kysely<Schema>,
  domainId: number,
  rows: readonly ErasedRow[],
  options: ForgetOptions = { evenIfSeenElsewhere: false },
): Promise<void> {
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  await lockRows(transaction, ids)
  await keepCounts(transaction, ids, () => removeRows(transaction, domainId, rows))
  const deviceIds = new Map(rows.map(({ device_id }) => [Buffer.from(device_id).toString('hex'), device_id]))
  await forgetDevices(transaction, domainId, [...deviceIds.values()], options)
}

/** In the order in which a refinement does, so that the two never wait for each other. */
const lockRows = (transaction: Kysely<Schema>, ids: readonly number[]): Promise<unknown> =>
  engineSql(transaction)
    .locking(transaction.selectFrom('identifications').select('id').where('id', 'in', ids).orderBy('id'))
    .execute()

async function removeRows(
  transaction: Kysely<Schema>,
  domainId: number,
  rows: readonly Pick<IdentificationRow, 'id' | 'request_id'>[],
): Promise<void> {
  const ids = rows.map(({ id }) => id)
  const requestIds = rows.flatMap(({ request_id }) => (request_id === null ? [] : [request_id]))
  for (const table of ['versions', 'snapshots'] as const)
    await transaction
      .deleteFrom(table)
      .where('domain_id', '=', domainId)
      .where('identification_id', 'in', ids)
      .execute()
  if (requestIds.length > 0)
    for (const table of ['outbox', 'deliveries', 'sticky_verdicts'] as const)
      await transaction
        .deleteFrom(table)
        .where('domain_id', '=', domainId)
        .where('request_id', 'in', requestIds)
        .execute()
  await forgetFindingRows(transaction, domainId, ids)
  await transaction
    .deleteFrom('identifications')
    .where(DOMAIN_BESIDE_IDS, '=', domainId)
    .where('id', 'in', ids)
    .execute()
}

/** A device's profile holds hashes of these, so nothing but forgetting it leaves no trace. */
const inProfiles = (type: SearchType): boolean =>
  type === 'device_id' || type === 'cookie_id' || type === 'visitor_id' || type === 'ip'

const removeStickyOf = (
  transaction: Kysely<Schema>,
  domainId: number,
  column: 'device_id' | 'address',
  value: Uint8Array | string,
): Promise<unknown> =>
  transaction
    .deleteFrom('sticky_verdicts')
    .where('domain_id', '=', domainId)
    .where(column, '=', value)
    .execute()

/**
 * Events of markers whose request ID was malformed share the nil UUID, so that no row leads to them: they
 * are known by the address in their bodies.
 */
async function removeMarkerEvents(
  transaction: Kysely<Schema>,
  domainId: number,
  address: string,
): Promise<void> {
  for (const table of ['outbox', 'deliveries'] as const) {
    const events = await transaction
      .selectFrom(table)
      .select(['id', 'body'])
      .where('domain_id', '=', domainId)
      .where('request_id', '=', NIL_UUID_BYTES)
      .execute()
    const those = events.flatMap(({ id, body }) => (addressIn(body) === address ? [id] : []))
    if (those.length > 0) await transaction.deleteFrom(table).where('id', 'in', those).execute()
  }
}

function addressIn(body: Uint8Array): string | undefined {
  const event = JSON.parse(Buffer.from(body).toString()) as Partial<IdentificationScored>
  return event.data?.public_ip.ip
}

/** Few enough that identifications which come in meanwhile wait a moment at most. */
const RETENTION_BATCH = 500

/**
 * Removes what is older than `beforeMs`: identifications with all that hangs on them, and the log of
 * deliveries. Batch by batch, oldest first, so that it can be stopped at any time and goes on the next time.
 * @returns how many identifications were removed
 */
export async function removeOlder(store: Store, beforeMs: number, stopped = () => false): Promise<number> {
  let removed = 0
  for (const { id } of await domainStore(store.jobReads).list())
    removed += await batches(() => removeOlderRows(store, id, beforeMs), stopped)
  await batches(() => removeDeliveries(store, beforeMs), stopped)
  await store.writes.deleteFrom('sticky_verdicts').where('created_at', '<', beforeMs).execute()
  if (store.engine === 'postgres') await dropOldPartitions(store.writes, beforeMs)
  return removed
}

/** Runs until a batch is not full. */
async function batches(run: () => Promise<number>, stopped: () => boolean): Promise<number> {
  let total = 0
  while (!stopped()) {
    const count = await run()
    total += count
    if (count < RETENTION_BATCH) break
  }
  return total
}

async function removeOlderRows(store: Store, domainId: number, beforeMs: number): Promise<number> {
  // Looked for on a reader: only the removal itself holds up the writer.
  const rows = await store.jobReads
    .selectFrom('identifications')
    .select(['id', 'request_id', 'device_id'])
    .where('domain_id', '=', domainId)
    .where('created_at', '<', beforeMs)
    .orderBy('created_at')
    .limit(RETENTION_BATCH)
    .execute()
  if (rows.length > 0)
    await store.writes
      .transaction()
      .execute((transaction) => removeIdentifications(transaction, domainId, rows))
  return rows.length
}

/** Sends of what has no row of its own, such as markers; their numbers grow with time. */
async function removeDeliveries(store: Store, beforeMs: number): Promise<number> {
  const oldest = await store.jobReads
    .selectFrom('deliveries')
    .select(['id', 'sent_at'])
    .orderBy('id')
    .limit(RETENTION_BATCH)
    .execute()
  const old = oldest.flatMap(({ id, sent_at }) => (sent_at < beforeMs ? [id] : []))
  if (old.length > 0) await store.writes.deleteFrom('deliveries').where('id', 'in', old).execute()
  return old.length
}
