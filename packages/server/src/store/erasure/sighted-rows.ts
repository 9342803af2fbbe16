import type { Kysely } from 'kysely'
import { normalAddress } from '../../lib/address.ts'
import { readColdBody } from '../cold/cold-body.ts'
import { engineSql } from '../engine-sql.ts'
import { decompressSnapshot } from '../identifications/snapshots.ts'
import type { Schema } from '../schema.ts'
import type { Identifier } from './matching-rows.ts'

/** Decompressed without a pause: some milliseconds. */
const PAGE = 200

/**
 * Identifications whose network check saw an address, by their numbers. The check may see several, such as an IPv4 and
 * an IPv6 address, but a row has a column for one, and the snapshots have no index. So this reads all of the domain.
 */
export async function sightedRows(
  db: Kysely<Schema>,
  domainId: number,
  { type, value }: Identifier,
): Promise<number[]> {
  if (type !== 'ip') return []
  const address = normalAddress(value)
  const found: number[] = []
  for (let after = 0; ; ) {
    const rows = await db
      .selectFrom('snapshots')
      .innerJoin('identifications', 'identifications.id', 'snapshots.identification_id')
      .select(['identifications.id', 'snapshots.body'])
      .where('snapshots.domain_id', '=', domainId)
      .where('snapshots.identification_id', '>', after)
      .where(engineSql(db).besideIds('identifications.domain_id'), '=', domainId)
      .where('stun_request_seen', '=', 1)
      .orderBy('snapshots.identification_id')
      .limit(PAGE)
      .execute()
    for (const { id, body } of rows) if (sees(body, address)) found.push(id)
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return found
    after = last.id
  }
}

/** A snapshot in the cold storage left its addresses in the row, so that no erasure has to read all of them. */
function sees(body: Uint8Array, address: string): boolean {
  const cold = readColdBody(body)
  return cold ? cold.addresses.includes(address) : decompressSnapshot(body).includes(JSON.stringify(address))
}
