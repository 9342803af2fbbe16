import type { Kysely } from 'kysely'
import type { UuidBytes } from '../../lib/uuid.ts'
import type { Lookup } from '../identifications/lookup.ts'
import type { Schema } from '../schema.ts'

/** A merge of a device that had been merged into is rare, one of a chain of many does not happen. */
const IDS_MAX = 50

/** All other IDs of a device: those that were merged into it, directly or not, and that it was merged into. */
export async function aliasesOf(
  db: Kysely<Schema>,
  domainId: number,
  deviceId: UuidBytes,
): Promise<UuidBytes[]> {
  const ofDomain = db
    .selectFrom('device_aliases')
    .select(['device_id', 'merged_into'])
    .where('domain_id', '=', domainId)
  const known = new Map([[nameOf(deviceId), deviceId]])
  let latest: UuidBytes[] = [deviceId]
  while (latest.length > 0 && known.size < IDS_MAX) {
    // Each side has an index of its own. An `or` reads all aliases of the domain on SQLite.
    const rows = await ofDomain
      .where('device_id', 'in', latest)
      .unionAll(ofDomain.where('merged_into', 'in', latest))
      .limit(IDS_MAX)
      .execute()
    latest = []
    for (const id of rows.flatMap((row) => [row.device_id, row.merged_into])) {
      if (known.has(nameOf(id))) continue
      known.set(nameOf(id), id)
      latest.push(id)
    }
  }
  known.delete(nameOf(deviceId))
  return [...known.values()]
}

const nameOf = (id: UuidBytes): string => Buffer.from(id).toString('hex')

/** The look-up of a device by any of its IDs; every other one as it is. */
export async function withAliases(db: Kysely<Schema>, domainId: number, lookup: Lookup): Promise<Lookup> {
  if (lookup.column !== 'device_id' || !(lookup.value instanceof Uint8Array)) return lookup
  const aliases = await aliasesOf(db, domainId, lookup.value)
  return aliases.length === 0 ? lookup : { ...lookup, aliases }
}
