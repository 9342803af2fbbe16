import { NIL_UUID } from '@inkling/contract'
import type { Kysely } from 'kysely'
import { uuidToText } from '../../lib/uuid.ts'
import { bringBackSnapshots } from '../cold/bring-back.ts'
import { isCold } from '../cold/cold-body.ts'
import { readVerdict } from '../identifications/identification-row.ts'
import { compressSnapshot, decompressSnapshot, snapshotBody } from '../identifications/snapshots.ts'
import type { Schema } from '../schema.ts'
import type { Store } from '../store.ts'

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
      .where('domain_id', '=', domainId)
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

interface Removed {
  request_id: Uint8Array | null
}

const requestIdsOf = (rows: readonly Removed[]): Uint8Array[] =>
  rows.flatMap(({ request_id }) => (request_id === null ? [] : [request_id]))

/** Few, so that concurrent identifications wait only briefly. Anybody may repeat a visit thousands of times. */
const REPLAYS_AT_ONCE = 200

/**
 * Replaces the request IDs of identifications that are about to be removed where replays name them, in the row, in its
 * earlier versions and in its snapshot. After an interruption, the next call finds those that are left.
 */
export async function forgetReplays(
  writes: Kysely<Schema>,
  domainId: number,
  rows: readonly Removed[],
  replays: Replays,
): Promise<void> {
  for (const requestId of requestIdsOf(rows).map(uuidToText)) {
    const ids = replays.get(requestId) ?? []
    for (let start = 0; start < ids.length; start += REPLAYS_AT_ONCE)
      await writes
        .transaction()
        .execute((transaction) =>
          forgetInRows(transaction, domainId, requestId, ids.slice(start, start + REPLAYS_AT_ONCE)),
        )
  }
}

/**
 * Puts the snapshots of what `forgetReplays` and `forgetMentions` change back into their rows, because a transaction must
 * not wait for the cold storage.
 * @throws AppError `INK_COLD_STORAGE`
 */
export async function bringBackNaming(
  store: Store,
  domainId: number,
  rows: readonly Removed[],
  replays: Replays,
): Promise<void> {
  const requestIds = requestIdsOf(rows)
  const ids = requestIds.flatMap((requestId) => replays.get(uuidToText(requestId)) ?? [])
  for (const named of await stickyOf(store.jobReads, domainId, requestIds))
    ids.push(...(await naming(store.jobReads, domainId, named)))
  await bringBackSnapshots(store, domainId, ids)
}

/** The same where a sticky verdict says of which visit it is. */
export async function forgetMentions(
  transaction: Kysely<Schema>,
  domainId: number,
  rows: readonly Removed[],
): Promise<void> {
  for (const named of await stickyOf(transaction, domainId, requestIdsOf(rows)))
    await forgetInRows(transaction, domainId, named.requestId, await naming(transaction, domainId, named))
}

interface Named {
  deviceId: Uint8Array
  requestId: string
}

/** Only visits that left such a verdict are named in one. */
async function stickyOf(
  db: Kysely<Schema>,
  domainId: number,
  requestIds: readonly Uint8Array[],
): Promise<Named[]> {
  if (requestIds.length === 0) return []
  const rows = await db
    .selectFrom('sticky_verdicts')
    .select(['device_id', 'request_id'])
    .where('domain_id', '=', domainId)
    .where('request_id', 'in', requestIds)
    .execute()
  return rows.map(({ device_id, request_id }) => ({
    deviceId: device_id,
    requestId: uuidToText(request_id),
  }))
}

/** Identifications of a device that name a request. */
async function naming(
  db: Kysely<Schema>,
  domainId: number,
  { deviceId, requestId }: Named,
): Promise<number[]> {
  const rows = await db
    .selectFrom('identifications')
    .select('id')
    .where('domain_id', '=', domainId)
    .where('device_id', '=', deviceId)
    .where('verdict', 'like', `%${requestId}%`)
    .execute()
  return rows.map(({ id }) => id)
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
