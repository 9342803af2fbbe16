import type { Kysely } from 'kysely'
import type { Scored } from '../../visit/identification.ts'
import { readStoredBody } from '../cold/stored-bodies.ts'
import { packText, unpackText } from '../packed/packed-text.ts'
import type { Schema } from '../schema.ts'
import type { Store } from '../store.ts'

/** The ingested body and what was known about the address at that time, so that the visit can be scored again. */
export function snapshotOf(scored: Scored): string {
  const { atMs, address, host, via, request, network, proof, ip, crawler, agent, edge, sticky, late, body } =
    scored
  const context = JSON.stringify({
    version: 1,
    at_ms: atMs,
    address,
    host,
    via,
    request,
    network,
    proof,
    ip,
    crawler,
    agent,
    edge,
    sticky,
  })
  // The body is JSON text already; parsing it to nest it would cost more than everything else here.
  const readings = late === undefined ? '' : `,"late":${late}`
  return `${context.slice(0, -1)}${readings},"body":${body}}`
}

export const compressSnapshot = (text: string): Uint8Array => packText(text)

export const decompressSnapshot = (body: Uint8Array): string => unpackText(body).toString()

/** A snapshot as its row has it, which is maybe in the cold storage; undefined if none is stored. */
export async function snapshotBody(
  db: Kysely<Schema>,
  domainId: number,
  identificationId: number,
): Promise<Uint8Array | undefined> {
  const row = await db
    .selectFrom('snapshots')
    .select('body')
    .where('domain_id', '=', domainId)
    .where('identification_id', '=', identificationId)
    .executeTakeFirst()
  return row?.body
}

/**
 * JSON of a snapshot; undefined if none is stored.
 * @throws AppError `INK_COLD_STORAGE`
 */
export async function readSnapshot(
  { reads, cold }: Pick<Store, 'reads' | 'cold'>,
  domainId: number,
  id: number,
): Promise<string | undefined> {
  const body = await snapshotBody(reads, domainId, id)
  const packed = body && (await readStoredBody(cold, domainId, { kind: 'snapshot', id, body }))
  return packed && decompressSnapshot(packed)
}
