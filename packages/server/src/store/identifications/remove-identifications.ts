import type { IdentificationScored, SearchType } from '@inkling/contract'
import type { Kysely } from 'kysely'
import { normalAddress } from '../../lib/address.ts'
import { NIL_UUID_BYTES, uuidBytesOrNil } from '../../lib/uuid.ts'
import { type ForgetOptions, forgetDevices } from '../devices/devices.ts'
import { bumpDirectoryVersion, domainStore } from '../domains/domains.ts'
import { DOMAIN_BESIDE_IDS, engineSql } from '../engine-sql.ts'
import { forgetEntity, forgetFindingRows } from '../findings/forget-findings.ts'
import { dropOldPartitions } from '../postgres/partitions.ts'
import { keepCounts } from '../roll-ups/counts.ts'
import type { Schema } from '../schema.ts'
import type { Store } from '../store.ts'
import { releaseBytes } from '../stored-bytes.ts'
import type { IdentificationRow } from './identifications.ts'
import type { Lookup } from './lookup.ts'

/** Small, so that concurrent identifications wait only briefly. */
const ERASE_BATCH = 200

/**
 * Removes all data of one identifier. Each batch is a transaction of its own; after an interruption, run it again.
 * @param value in the form of the API; `lookup` has the form of the column
 * @returns the number of removed identifications
 */
export async function erase(
  store: Store,
  domainId: number,
  { type, value }: { type: SearchType; value: string },
  lookup: Lookup,
): Promise<number> {
  let removed = 0
  for (;;) {
    const batch = await store.writes.transaction().execute(async (transaction) => {
      const rows = await rowsToErase(transaction, domainId, lookup)
      await removeIdentifications(transaction, domainId, rows, { evenIfSeenElsewhere: isInProfiles(type) })
      return rows.length
    })
    removed += batch
    if (batch < ERASE_BATCH) break
  }
  await store.writes.transaction().execute(async (transaction) => {
    if (type === 'device_id') await removeStickyOf(transaction, domainId, 'device_id', uuidBytesOrNil(value))
    if (type === 'ip') {
      const address = normalAddress(value)
      await removeStickyOf(transaction, domainId, 'address', address)
      await removeMarkerEvents(transaction, domainId, address)
      await forgetEntity(transaction, { domainId, type: 'local_ip', value: address })
    }
    if (type === 'device_id' || type === 'visitor_id')
      await forgetEntity(transaction, { domainId, type, value: value.toLowerCase() })
    if (type === 'user_hid') await forgetEntity(transaction, { domainId, type, value })
    // Makes running servers reload the sticky verdicts they keep in memory.
    await bumpDirectoryVersion(transaction)
  })
  return removed
}

type ErasedRow = Pick<IdentificationRow, 'id' | 'request_id' | 'device_id'>

const rowsToErase = (
  transaction: Kysely<Schema>,
  domainId: number,
  { column, value }: Lookup,
): Promise<ErasedRow[]> =>
  transaction
    .selectFrom('identifications')
    .select(['id', 'request_id', 'device_id'])
    .where('domain_id', '=', domainId)
    .where(column, value === null ? 'is' : '=', value)
    .limit(ERASE_BATCH)
    .execute()

/** Removes identifications with everything that refers to them. */
export async function removeIdentifications(
  transaction: Kysely<Schema>,
  domainId: number,
  rows: readonly ErasedRow[],
  options: ForgetOptions = { evenIfSeenElsewhere: false },
): Promise<void> {
  if (rows.length === 0) return
  await removeVisits(transaction, domainId, rows)
  const deviceIds = new Map(rows.map(({ device_id }) => [Buffer.from(device_id).toString('hex'), device_id]))
  await forgetDevices(transaction, domainId, [...deviceIds.values()], options)
}

/** The same without their devices, for one who removes all devices. */
export async function removeVisits(
  transaction: Kysely<Schema>,
  domainId: number,
  rows: readonly Pick<ErasedRow, 'id' | 'request_id'>[],
): Promise<void> {
  const ids = rows.map(({ id }) => id)
  await lockRows(transaction, ids)
  await releaseBytes(transaction, domainId, ids)
  await keepCounts(transaction, ids, () => removeRows(transaction, domainId, rows))
}

/** In the same order as a refinement, so that the two cannot deadlock. */
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

/** Device profiles contain hashes of these identifiers, so the device has to be removed as well. */
const isInProfiles = (type: SearchType): boolean =>
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
 * Removes events without a request ID. They share the nil UUID, so they are found by the address in their bodies.
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
    const ids = events.flatMap(({ id, body }) => (addressIn(body) === address ? [id] : []))
    if (ids.length > 0) await transaction.deleteFrom(table).where('id', 'in', ids).execute()
  }
}

function addressIn(body: Uint8Array): string | undefined {
  const event = JSON.parse(Buffer.from(body).toString()) as Partial<IdentificationScored>
  return event.data?.public_ip.ip
}

/** Small, so that concurrent identifications wait only briefly. */
const RETENTION_BATCH = 500

/**
 * Removes identifications and deliveries that are older than `beforeMs`, oldest first. It may be stopped after any
 * batch; the next call continues.
 * @returns the number of removed identifications
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

/** Runs until a batch is not full, and returns the total. */
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
  // Searched on a reader, so that only the removal occupies the writer.
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

/** Deliveries of events without an identification. Their IDs grow with time. */
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
