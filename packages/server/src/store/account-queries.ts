import type { Kysely } from 'kysely'
import { bumpDirectoryVersion } from './domains.ts'
import type { EndpointRow } from './endpoints.ts'
import type { Schema } from './schema.ts'

export interface DomainActivity {
  identifications: number
  /** Undefined before the first identification. */
  newestAtMs: number | undefined
  endpoints: number
}

/** How much a domain is used. Counts a stretch of the time index, never the whole table. */
export async function domainActivity(
  db: Kysely<Schema>,
  domainId: number,
  sinceMs: number,
): Promise<DomainActivity> {
  const rows = db.selectFrom('identifications').where('domain_id', '=', domainId)
  const [counted, newest, endpoints] = await Promise.all([
    rows
      .where('created_at', '>=', sinceMs)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
    rows.select(({ fn }) => fn.max('created_at').as('at')).executeTakeFirstOrThrow(),
    db
      .selectFrom('endpoints')
      .where('domain_id', '=', domainId)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  ])
  return {
    identifications: counted.count,
    newestAtMs: (newest.at as number | null) ?? undefined,
    endpoints: endpoints.count,
  }
}

/** Undefined when the domain has no such endpoint. What waits for it in the outbox is dropped by the dispatcher. */
export async function removeEndpoint(
  transaction: Kysely<Schema>,
  domainId: number,
  id: number,
): Promise<EndpointRow | undefined> {
  const removed = await transaction
    .deleteFrom('endpoints')
    .where('domain_id', '=', domainId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  if (removed) await bumpDirectoryVersion(transaction)
  return removed
}
