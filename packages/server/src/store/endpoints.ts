import type { Kysely, Selectable } from 'kysely'
import { bumpDirectoryVersion } from './domains.ts'
import type { EndpointTable, Schema } from './schema.ts'

export type EndpointRow = Selectable<EndpointTable>
export type EndpointChange = Partial<
  Pick<EndpointRow, 'url' | 'sealed_secret' | 'state' | 'enabled' | 'pattern_events'>
>

/** Webhook endpoints. The domain comes first, so that no other domain's endpoint is ever reached. */
export const endpointStore = (db: Kysely<Schema>) => ({
  listAll: (): Promise<EndpointRow[]> => db.selectFrom('endpoints').selectAll().orderBy('id').execute(),

  list: (domainId: number): Promise<EndpointRow[]> =>
    db.selectFrom('endpoints').selectAll().where('domain_id', '=', domainId).orderBy('id').execute(),

  find: (domainId: number, id: number): Promise<EndpointRow | undefined> =>
    db
      .selectFrom('endpoints')
      .selectAll()
      .where('domain_id', '=', domainId)
      .where('id', '=', id)
      .executeTakeFirst(),

  async add(row: Omit<EndpointRow, 'id'>): Promise<EndpointRow> {
    const added = await db.insertInto('endpoints').values(row).returningAll().executeTakeFirstOrThrow()
    await bumpDirectoryVersion(db)
    return added
  },

  async change(domainId: number, id: number, change: EndpointChange): Promise<EndpointRow | undefined> {
    const changed = await db
      .updateTable('endpoints')
      .set(change)
      .where('domain_id', '=', domainId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
    await bumpDirectoryVersion(db)
    return changed
  },
})
