import type { Kysely } from 'kysely'
import type { IdentificationRow, Lookup } from './identifications.ts'
import type { Schema } from './schema.ts'

const COLUMNS = [
  'created_at',
  'score',
  'device_id',
  'visitor_id',
  'user_hid',
  'ip',
  'cookie_id',
  'country',
  'browser',
  'os',
] as const

export type EntityRow = Pick<IdentificationRow, (typeof COLUMNS)[number]>

/** The newest identifications that share an identifier, without what takes space. */
export const entityRows = (
  db: Kysely<Schema>,
  domainId: number,
  { column, value }: NonNullable<Lookup>,
  limit: number,
): Promise<EntityRow[]> =>
  db
    .selectFrom('identifications')
    .select(COLUMNS)
    .where('domain_id', '=', domainId)
    .where(column, value === null ? 'is' : '=', value)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
