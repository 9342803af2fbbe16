import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { accountSurface } from '../../test/account/account-surface.ts'
import { storeVisit } from '../../test/account/stored-visits.ts'
import { domainStore } from './domains/domains.ts'
import { removeOlder } from './identifications/remove-identifications.ts'
import type { Store } from './store.ts'

const { workers = [] } = inject('testPostgres') ?? {}

interface Sum {
  bytes: number
}

const SQLITE_BYTES = sql<Sum>`
  select (page_count - freelist_count) * page_size as bytes
  from pragma_page_count, pragma_freelist_count, pragma_page_size`
const POSTGRES_BYTES = sql<Sum>`
  select sum(pg_total_relation_size(oid))::bigint as bytes from pg_class
  where relkind in ('r', 'm') and relnamespace = 'public'::regnamespace`
/** The coordinator's own tables of these names are empty. */
const SHARD_BYTES = sql<Sum>`
  select sum(citus_total_relation_size(logicalrelid))::bigint as bytes from pg_dist_partition
  join pg_class on oid = logicalrelid where relkind = 'r'`
const POSTGRES_PLACES = workers.length > 0 ? [POSTGRES_BYTES, SHARD_BYTES] : [POSTGRES_BYTES]

/** What tables and indexes take; PostgreSQL counts whole pages, the embedded database those in use. */
async function usedBytes({ engine, reads }: Store): Promise<number> {
  let bytes = 0
  for (const place of engine === 'postgres' ? POSTGRES_PLACES : [SQLITE_BYTES])
    bytes += Number((await place.execute(reads)).rows[0]?.bytes)
  return bytes
}

test('what a domain stores is known to within half, and is nothing once everything is removed', async () => {
  const surface = await accountSurface()
  const { store, domainId, clock } = surface
  const stored = async () => (await domainStore(store.reads).findById(domainId))?.stored_bytes ?? 0
  const batch = (count: number) => Promise.all(Array.from({ length: count }, () => storeVisit(surface)))
  await batch(200)
  const before = { used: await usedBytes(store), stored: await stored() }
  await batch(800)
  const growth = (await usedBytes(store)) - before.used
  const estimate = (await stored()) - before.stored
  expect(estimate / growth).toBeGreaterThan(0.5)
  expect(estimate / growth).toBeLessThan(1.5)
  await removeOlder(store, clock.nowMs + 1)
  expect(await stored()).toBe(0)
})
