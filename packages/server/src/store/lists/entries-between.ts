import type { ListKind } from '@inkling/contract'
import type { Kysely } from 'kysely'
import type { Schema } from '../schema.ts'
import type { ListEntryRow } from './list-entries.ts'

/** Entries of a kind whose values lie in a range, both ends included: one value, or those that begin alike. */
export const entriesBetween = (
  db: Kysely<Schema>,
  domainId: number,
  kind: ListKind,
  [first, last]: readonly [string, string],
  limit: number,
): Promise<ListEntryRow[]> =>
  db
    .selectFrom('list_entries')
    .selectAll()
    .where('domain_id', '=', domainId)
    .where('kind', '=', kind)
    .where('value', '>=', first)
    .where('value', '<=', last)
    .orderBy('value')
    .orderBy('list')
    .limit(limit)
    .execute()
