import type { Kysely } from 'kysely'
import type { Scored } from '../../visit/identification.ts'
import type { NetworkEvidence } from '../../visit/network-evidence.ts'
import { packText, unpackText } from '../packed/packed-text.ts'
import type { Schema } from '../schema.ts'

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

/** JSON of a snapshot; undefined if none is stored. */
export async function readSnapshot(
  db: Kysely<Schema>,
  domainId: number,
  identificationId: number,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('snapshots')
    .select('body')
    .where('domain_id', '=', domainId)
    .where('identification_id', '=', identificationId)
    .executeTakeFirst()
  return row && decompressSnapshot(row.body)
}

/** What the server observed of the connection; undefined without a snapshot. */
export async function readNetworkEvidence(
  db: Kysely<Schema>,
  domainId: number,
  identificationId: number,
): Promise<NetworkEvidence | undefined> {
  const text = await readSnapshot(db, domainId, identificationId)
  return text === undefined ? undefined : (JSON.parse(text) as { network?: NetworkEvidence }).network
}
