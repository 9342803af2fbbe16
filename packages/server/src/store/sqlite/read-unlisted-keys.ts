import type { Kysely } from 'kysely'
import type { DeviceTables } from '../device-tables.ts'
import { decodeNewKeys } from './new-keys.ts'
import { createUnlistedKeys, type UnlistedKeys } from './unlisted-keys.ts'

/** What an earlier process left to be listed. */
export async function readUnlistedKeys(db: Kysely<DeviceTables>): Promise<UnlistedKeys> {
  const unlisted = createUnlistedKeys()
  const rows = await db.selectFrom('unlisted_keys').selectAll().orderBy('id').execute()
  for (const { id, domain_id, device, keys } of rows)
    unlisted.add(domain_id, { id, device }, decodeNewKeys(keys))
  const run = await db.selectFrom('listing_run').selectAll().executeTakeFirst()
  if (run) unlisted.follow({ through: run.through, upTo: { domainId: run.domain_id, key: run.key } })
  return unlisted
}
