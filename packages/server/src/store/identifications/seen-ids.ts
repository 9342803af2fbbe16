import { type Kysely, sql } from 'kysely'
import { NIL_UUID_BYTES, type UuidBytes } from '../../lib/uuid.ts'
import type { Schema } from '../schema.ts'
import type { SearchedNetwork } from './lookup.ts'

// Which identifiers of a range visits have. Each query reads an index from where the range ends, never the visits of
// an identifier one by one: a device may have millions.

/** A value and the time of its newest identification. */
export interface Seen<Value> {
  value: Value
  lastAt: number
}

export type IdColumn = 'device_id' | 'visitor_id' | 'session_id' | 'cookie_id'

/** Different IDs in a range, both ends included; the nil one names nobody. */
export const idsBetween = (
  db: Kysely<Schema>,
  domainId: number,
  column: IdColumn,
  [first, last]: readonly [UuidBytes, UuidBytes],
  limit: number,
): Promise<Seen<UuidBytes>[]> =>
  valuesBetween<UuidBytes>(db, domainId, column, [first, last], limit, NIL_UUID_BYTES)

/** Different accounts in a range, both ends included, the case of letters told apart. */
export const accountsBetween = (
  db: Kysely<Schema>,
  domainId: number,
  [first, last]: readonly [string, string],
  limit: number,
): Promise<Seen<string>[]> => valuesBetween<string>(db, domainId, 'user_hid', [first, last], limit, '')

/** The range of the texts that begin with one: both engines compare text by its bytes, and no character has greater ones. */
export const beginningWith = (text: string): [first: string, last: string] => [text, `${text}\u{10ffff}`]

/** One seek for each value. */
async function valuesBetween<Value extends UuidBytes | string>(
  db: Kysely<Schema>,
  domainId: number,
  column: IdColumn | 'user_hid',
  [first, last]: readonly [Value, Value],
  limit: number,
  nothing: Value,
): Promise<Seen<Value>[]> {
  const found: Seen<Value>[] = []
  const name = sql.ref(column)
  let below = sql`${name} <= ${last}`
  while (found.length < limit) {
    const { rows } = await sql<Seen<Value>>`
      select ${name} as value, created_at as ${sql.ref('lastAt')} from identifications
      where domain_id = ${domainId} and ${name} >= ${first} and ${name} > ${nothing} and ${below}
      order by ${name} desc, created_at desc limit 1`.execute(db)
    const [row] = rows
    if (!row) break
    found.push(row)
    below = sql`${name} < ${row.value}`
  }
  return found
}

/**
 * Rows that are read for the beginning of a request ID. The index has those of all domains, and whoever sends visits
 * chooses their IDs: a flood of equal beginnings must not make a search slow.
 */
const REQUESTS_READ_MAX = 500

/** Request IDs in a range, both ends included. */
export async function requestsBetween(
  db: Kysely<Schema>,
  domainId: number,
  [first, last]: readonly [UuidBytes, UuidBytes],
  limit: number,
): Promise<Seen<UuidBytes>[]> {
  const near = db
    .selectFrom('identifications')
    .select(['domain_id', 'request_id', 'created_at'])
    .where('request_id', '>=', first)
    .where('request_id', '<=', last)
    .orderBy('request_id')
    .limit(REQUESTS_READ_MAX)
  const rows = await db
    .selectFrom(near.as('near'))
    .select(['request_id', 'created_at'])
    .where('domain_id', '=', domainId)
    .limit(limit)
    .execute()
  return rows.flatMap(({ request_id, created_at }) =>
    request_id === null ? [] : [{ value: request_id, lastAt: created_at }],
  )
}

/** Whether any identification came from a network. */
export async function isNetworkSeen(
  db: Kysely<Schema>,
  domainId: number,
  { column, first, last }: SearchedNetwork,
): Promise<boolean> {
  const row = await db
    .selectFrom('identifications')
    .select('id')
    .where('domain_id', '=', domainId)
    .where(column, '>=', first)
    .where(column, '<=', last)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
