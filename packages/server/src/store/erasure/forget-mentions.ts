import { NIL_UUID } from '@inkling/contract'
import type { Kysely } from 'kysely'
import { uuidToText } from '../../lib/uuid.ts'
import { compressSnapshot, readSnapshot } from '../identifications/snapshots.ts'
import type { Schema } from '../schema.ts'

/**
 * Replaces the request IDs of identifications that are about to be removed where later ones name them: a sticky verdict
 * says of which visit it is, in the row, in its earlier versions and in its snapshot.
 */
export async function forgetMentions(
  transaction: Kysely<Schema>,
  domainId: number,
  rows: readonly { request_id: Uint8Array | null }[],
): Promise<void> {
  const requestIds = rows.flatMap(({ request_id }) => (request_id === null ? [] : [request_id]))
  if (requestIds.length === 0) return
  // Only visits that left such a verdict are named anywhere.
  const named = await transaction
    .selectFrom('sticky_verdicts')
    .select(['device_id', 'request_id'])
    .where('domain_id', '=', domainId)
    .where('request_id', 'in', requestIds)
    .execute()
  for (const { device_id, request_id } of named)
    await forgetMention(transaction, domainId, { deviceId: device_id, requestId: uuidToText(request_id) })
}

async function forgetMention(
  transaction: Kysely<Schema>,
  domainId: number,
  { deviceId, requestId }: { deviceId: Uint8Array; requestId: string },
): Promise<void> {
  const naming = await transaction
    .selectFrom('identifications')
    .select(['id', 'verdict'])
    .where('domain_id', '=', domainId)
    .where('device_id', '=', deviceId)
    .where('verdict', 'like', `%${requestId}%`)
    .execute()
  for (const { id, verdict } of naming) {
    await transaction
      .updateTable('identifications')
      .set({ verdict: verdict.replaceAll(requestId, NIL_UUID) })
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
  const snapshot = await readSnapshot(transaction, domainId, id)
  if (!snapshot?.includes(requestId)) return
  await transaction
    .updateTable('snapshots')
    .set({ body: compressSnapshot(snapshot.replaceAll(requestId, NIL_UUID)) })
    .where('domain_id', '=', domainId)
    .where('identification_id', '=', id)
    .execute()
}
