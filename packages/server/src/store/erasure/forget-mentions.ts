import { NIL_UUID } from '@inkling/contract'
import type { Kysely } from 'kysely'
import { uuidToText } from '../../lib/uuid.ts'
import { bringBackSnapshots } from '../cold/bring-back.ts'
import { isCold } from '../cold/cold-body.ts'
import { engineSql } from '../engine-sql.ts'
import { readVerdict } from '../identifications/identification-row.ts'
import { compressSnapshot, decompressSnapshot, snapshotBody } from '../identifications/snapshots.ts'
import { againAfterDeadlock } from '../outages.ts'
import type { Schema } from '../schema.ts'
import type { Store } from '../store.ts'
import { type Mentions, type Removed, requestIdsOf } from './sticky-mentions.ts'

/** Replays by the request ID that they name: the one that used their ticket or body first. */
export type Replays = ReadonlyMap<string, readonly number[]>

const PAGE = 500

/** Reads all rows of the domain once: replays are rare, so they have no index. */
export async function replaysOf(db: Kysely<Schema>, domainId: number): Promise<Replays> {
  const replays = new Map<string, number[]>()
  for (let after = 0; ; ) {
    const rows = await db
      .selectFrom('identifications')
      .select(['id', 'verdict'])
      .where(engineSql(db).besideIds('domain_id'), '=', domainId)
      .where('id', '>', after)
      .where('verdict', 'like', '%"state":"repeated"%')
      .orderBy('id')
      .limit(PAGE)
      .execute()
    for (const { id, verdict } of rows) {
      const first = readVerdict(verdict).ticket?.first
      if (first === undefined) continue
      const ids = replays.get(first)
      if (ids) ids.push(id)
      else replays.set(first, [id])
    }
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return replays
    after = last.id
  }
}

/** Few, so that concurrent identifications wait only briefly. Anybody may repeat a visit thousands of times. */
const MENTIONS_AT_ONCE = 200

/**
 * Replaces the request IDs of identifications that are about to be removed where others name them, in the row, in its
 * earlier versions and in its snapshot. After an interruption, the next call finds those that are left.
 */
export async function forgetMentions(
  writes: Kysely<Schema>,
  domainId: number,
  rows: readonly Removed[],
  mentions: Mentions,
): Promise<void> {
  for (const requestId of requestIdsOf(rows).map(uuidToText)) {
    const ids = mentions.get(requestId) ?? []
    for (let start = 0; start < ids.length; start += MENTIONS_AT_ONCE)
      await againAfterDeadlock(() =>
        writes
          .transaction()
          .execute((transaction) =>
            forgetInRows(transaction, domainId, requestId, ids.slice(start, start + MENTIONS_AT_ONCE)),
          ),
      )
  }
}

/**
 * Puts the snapshots of what `forgetMentions` changes back into their rows, because a transaction must not wait for the
 * cold storage.
 * @throws AppError `INK_COLD_STORAGE`
 */
export async function bringBackNaming(
  store: Store,
  domainId: number,
  rows: readonly Removed[],
  mentions: readonly Mentions[],
): Promise<void> {
  const requestIds = requestIdsOf(rows).map(uuidToText)
  const ids = mentions.flatMap((some) => requestIds.flatMap((requestId) => some.get(requestId) ?? []))
  await bringBackSnapshots(store, domainId, ids)
}

/** The same as `forgetMentions`, in the transaction that removes the rows. */
export async function forgetLateMentions(
  transaction: Kysely<Schema>,
  domainId: number,
  mentions: Mentions,
): Promise<void> {
  for (const [requestId, ids] of mentions) await forgetInRows(transaction, domainId, requestId, ids)
}

async function forgetInRows(
  transaction: Kysely<Schema>,
  domainId: number,
  requestId: string,
  ids: readonly number[],
): Promise<void> {
  for (const id of ids) {
    const row = await transaction
      .selectFrom('identifications')
      .select('verdict')
      .where('domain_id', '=', domainId)
      .where('id', '=', id)
      .executeTakeFirst()
    // It was removed as well.
    if (!row) continue
    await transaction
      .updateTable('identifications')
      .set({ verdict: row.verdict.replaceAll(requestId, NIL_UUID) })
      .where('domain_id', '=', domainId)
      .where('id', '=', id)
      .execute()
    await forgetInVersions(transaction, domainId, id, requestId)
    await forgetInSnapshot(transaction, domainId, id, requestId)
  }
}

async function forgetInVersions(
  transaction: Kysely<Schema>,
  domainId: number,
  id: number,
  requestId: string,
): Promise<void> {
  const versions = await transaction
    .selectFrom('versions')
    .select(['ver', 'verdict'])
    .where('domain_id', '=', domainId)
    .where('identification_id', '=', id)
    .execute()
  for (const { ver, verdict } of versions)
    await transaction
      .updateTable('versions')
      .set({ verdict: verdict.replaceAll(requestId, NIL_UUID) })
      .where('domain_id', '=', domainId)
      .where('identification_id', '=', id)
      .where('ver', '=', ver)
      .execute()
}

async function forgetInSnapshot(
  transaction: Kysely<Schema>,
  domainId: number,
  id: number,
  requestId: string,
): Promise<void> {
  const body = await snapshotBody(transaction, domainId, id)
  if (!body) return
  if (isCold(body)) {
    // It was brought back, unless the cold storage has lost it: nobody will read it again.
    await transaction
      .deleteFrom('snapshots')
      .where('domain_id', '=', domainId)
      .where('identification_id', '=', id)
      .execute()
    return
  }
  const snapshot = decompressSnapshot(body)
  if (!snapshot.includes(requestId)) return
  await transaction
    .updateTable('snapshots')
    .set({ body: compressSnapshot(snapshot.replaceAll(requestId, NIL_UUID)) })
    .where('domain_id', '=', domainId)
    .where('identification_id', '=', id)
    .execute()
}
