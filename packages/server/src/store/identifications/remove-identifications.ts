import { type Kysely, sql } from 'kysely'
import { removeOldAlerts } from '../alerts/remove-old-alerts.ts'
import { removeClosedCases } from '../cases/forget-cases.ts'
import { keepFeedBehind } from '../change-feed/change-feed.ts'
import { type ForgetOptions, forgetDevices } from '../devices/forget-devices.ts'
import { domainStore } from '../domains/domains.ts'
import { engineSql } from '../engine-sql.ts'
import { forgetVisitCopies } from '../erasure/forget-copies.ts'
import { forgetVisitEntries } from '../erasure/forget-entries.ts'
import { forgetFindingRows } from '../findings/forget-findings.ts'
import { stepPatternCursorBack } from '../findings/pattern-cursor.ts'
import { againAfterDeadlock } from '../outages.ts'
import { dropOldPartitions } from '../postgres/partitions.ts'
import { keepCounts } from '../roll-ups/counts.ts'
import type { Schema } from '../schema.ts'
import type { Store } from '../store.ts'
import { UNMEASURED_BYTES } from '../stored-bytes.ts'
import type { IdentificationRow } from './identifications.ts'

type VisitRow = Pick<IdentificationRow, 'id' | 'request_id'>
type ErasedRow = VisitRow & Pick<IdentificationRow, 'device_id'>

/** Removes identifications with everything that refers to them. */
export async function removeIdentifications(
  transaction: Kysely<Schema>,
  domainId: number,
  rows: readonly ErasedRow[],
  options: ForgetOptions = { evenIfSeenElsewhere: false },
): Promise<void> {
  if (rows.length === 0) return
  const bytes = await removeWithRows(transaction, domainId, rows)
  const deviceIds = new Map(rows.map(({ device_id }) => [Buffer.from(device_id).toString('hex'), device_id]))
  await forgetDevices(transaction, domainId, [...deviceIds.values()], options)
  await releaseBytes(transaction, domainId, bytes)
}

/** The same without their devices, for one who removes all devices. */
export async function removeVisits(
  transaction: Kysely<Schema>,
  domainId: number,
  rows: readonly VisitRow[],
): Promise<void> {
  await releaseBytes(transaction, domainId, await removeWithRows(transaction, domainId, rows))
}

/** @returns the bytes that the domain no longer takes */
async function removeWithRows(
  transaction: Kysely<Schema>,
  domainId: number,
  rows: readonly VisitRow[],
): Promise<number> {
  const ids = rows.map(({ id }) => id)
  await lockRows(transaction, domainId, ids)
  const bytes = await storedBytes(transaction, domainId, ids)
  await keepFeedBehind(transaction, () =>
    keepCounts(transaction, domainId, ids, () => removeRows(transaction, domainId, rows)),
  )
  await stepPatternCursorBack(transaction)
  return bytes
}

/** The last step: commits of the domain wait for its row, and have locked devices before they do. */
async function releaseBytes(transaction: Kysely<Schema>, domainId: number, bytes: number): Promise<void> {
  await transaction
    .updateTable('domains')
    .set({ stored_bytes: sql`stored_bytes - ${bytes}` })
    .where('id', '=', domainId)
    .execute()
}

async function storedBytes(
  transaction: Kysely<Schema>,
  domainId: number,
  ids: readonly number[],
): Promise<number> {
  const { bytes } = await transaction
    .selectFrom('identifications')
    .select(sql<number>`coalesce(sum(coalesce(bytes, ${sql.lit(UNMEASURED_BYTES)})), 0)`.as('bytes'))
    .where(engineSql(transaction).besideIds('domain_id'), '=', domainId)
    .where('id', 'in', ids)
    .executeTakeFirstOrThrow()
  return Number(bytes)
}

/** In the same order as a refinement, so that the two cannot deadlock. */
function lockRows(transaction: Kysely<Schema>, domainId: number, ids: readonly number[]): Promise<unknown> {
  const { locking, besideIds } = engineSql(transaction)
  const rows = transaction
    .selectFrom('identifications')
    .select('id')
    .where(besideIds('domain_id'), '=', domainId)
    .where('id', 'in', ids)
    .orderBy('id')
  return locking(rows).execute()
}

async function removeRows(
  transaction: Kysely<Schema>,
  domainId: number,
  rows: readonly VisitRow[],
): Promise<void> {
  const ids = rows.map(({ id }) => id)
  const requestIds = rows.flatMap(({ request_id }) => (request_id === null ? [] : [request_id]))
  for (const table of ['versions', 'snapshots'] as const)
    await transaction
      .deleteFrom(table)
      .where('domain_id', '=', domainId)
      .where('identification_id', 'in', ids)
      .execute()
  await transaction
    .deleteFrom('late_changes')
    .where('domain_id', '=', domainId)
    .where('kind', '=', 'identification')
    .where('row_id', 'in', ids)
    .execute()
  if (requestIds.length > 0)
    for (const table of ['outbox', 'deliveries', 'sticky_verdicts', 'decisions'] as const)
      await transaction
        .deleteFrom(table)
        .where('domain_id', '=', domainId)
        .where('request_id', 'in', requestIds)
        .execute()
  if (requestIds.length > 0) await engineSql(transaction).freeRequests(transaction, domainId, requestIds)
  await forgetVisitCopies(transaction, domainId, requestIds)
  await forgetFindingRows(transaction, domainId, ids)
  await forgetVisitEntries(transaction, domainId, ids)
  await transaction
    .deleteFrom('identifications')
    .where(engineSql(transaction).besideIds('domain_id'), '=', domainId)
    .where('id', 'in', ids)
    .execute()
}

/** Small, so that concurrent identifications wait only briefly. */
const RETENTION_BATCH = 500

/**
 * Removes identifications, closed cases, alerts and deliveries that are older than `beforeMs`, oldest first. It may be
 * stopped after any batch; the next call continues.
 * @returns the number of removed identifications
 */
export async function removeOlder(store: Store, beforeMs: number, stopped = () => false): Promise<number> {
  let removed = 0
  for (const { id } of await domainStore(store.jobReads).list()) {
    removed += await batches(() => removeOlderRows(store, id, beforeMs), stopped)
    await batches(() => removeClosedCases(store, id, beforeMs, RETENTION_BATCH), stopped)
    await batches(() => removeOldAlerts(store, id, beforeMs, RETENTION_BATCH), stopped)
  }
  await batches(() => removeDeliveries(store, beforeMs), stopped)
  await store.longWrites.deleteFrom('sticky_verdicts').where('created_at', '<', beforeMs).execute()
  if (store.engine === 'postgres') await dropOldPartitions(store.longWrites, beforeMs)
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
    await againAfterDeadlock(() =>
      store.longWrites
        .transaction()
        .execute((transaction) => removeIdentifications(transaction, domainId, rows)),
    )
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
  if (old.length > 0) await store.longWrites.deleteFrom('deliveries').where('id', 'in', old).execute()
  return old.length
}
