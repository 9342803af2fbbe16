import { isUuid } from '@inkling/contract'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { ipv4ToNumber } from '../../lib/ipv4-number.ts'
import { uuidBytesOrNil } from '../../lib/uuid.ts'
import { engineSql } from '../engine-sql.ts'
import type { IdentificationRow } from '../identifications/identifications.ts'
import type { Schema } from '../schema.ts'

const THE_ONE = 1

interface PieceOptions {
  /** No window reaches further back. */
  sinceMs: number
  settledMs: number
  nowMs: number
  limit: number
}

/**
 * The next identifications in which patterns are looked for, none of them younger than `settledMs`: later
 * evidence still changes those. Undefined when there are none.
 */
export async function nextPiece(
  db: Kysely<Schema>,
  { sinceMs, settledMs, nowMs, limit }: PieceOptions,
): Promise<Piece | undefined> {
  const after = await cursor(db, sinceMs)
  const ids = await db
    .selectFrom('identifications')
    .select(['id', 'created_at'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  const settling = ids.findIndex(({ created_at }) => created_at > settledMs && created_at <= nowMs)
  const last = (settling < 0 ? ids : ids.slice(0, settling)).at(-1)
  return last && { after, through: last.id }
}

/** Where the last piece ended; at the first time, before the oldest row that any window reaches. */
async function cursor(db: Kysely<Schema>, sinceMs: number): Promise<number> {
  const stored = await db
    .selectFrom('pattern_cursor')
    .select('identification_id')
    .where('id', '=', THE_ONE)
    .executeTakeFirst()
  const newest = await db
    .selectFrom('identifications')
    .select(({ fn }) => fn.max<number | null>('id').as('id'))
    .executeTakeFirst()
  // Numbers of erased rows at the end are given out again.
  if (stored) return Math.min(stored.identification_id, newest?.id ?? 0)
  const domains = await db.selectFrom('domains').select('id').execute()
  // Read out of the index alone, and only this once: a second for ten million rows.
  let oldest = Number.POSITIVE_INFINITY
  for (const { id } of domains) {
    const first = await db
      .selectFrom('identifications')
      .select(({ fn }) => fn.min<number | null>('id').as('id'))
      .where('domain_id', '=', id)
      .where('created_at', '>=', sinceMs)
      .executeTakeFirst()
    oldest = Math.min(oldest, first?.id ?? oldest)
  }
  return Number.isFinite(oldest) ? oldest - 1 : (newest?.id ?? 0)
}

export async function moveCursor(db: Kysely<Schema>, through: number): Promise<void> {
  await db
    .insertInto('pattern_cursor')
    .values({ id: THE_ONE, identification_id: through })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ identification_id: through }))
    .execute()
}

/** Rows that are looked at of one entity, the newest: enough for every threshold, and read in a moment. */
export const ENTITY_ROWS_MAX = 300

/** Identifications after `after`, `through` included. */
export interface Piece {
  after: number
  through: number
}

/** Kinds of entities, each with what its column holds. */
interface Values {
  device_id: Uint8Array
  visitor_id: Uint8Array
  user_hid: string
  local_ip: number
}
export type CandidateType = keyof Values

/** An entity in its column's form. */
export interface Touched<Type extends CandidateType> {
  domain_id: number
  value: Values[Type]
}

/**
 * The local address is the leaked one, else the one that the network check saw. Where nothing leaked, that is
 * the public address or of the other family, so that two indexes together find its rows.
 */
const LOCAL_IP = sql`coalesce(webrtc_leak_ip, web_rtc_ip)`

/** Entities that a piece's identifications are of. */
export async function touchedEntities<Type extends CandidateType>(
  db: Kysely<Schema>,
  type: Type,
  { after, through }: Piece,
): Promise<Touched<Type>[]> {
  const column = type === 'local_ip' ? LOCAL_IP : sql.ref(type)
  const { rows } = await sql<Touched<Type>>`
    select distinct domain_id, ${column} as value from identifications
    where id > ${after} and id <= ${through} and ${column} is not null`.execute(db)
  return rows
}

/**
 * Those of a domain's entities that are worth a closer look: the others have less than any pattern asks for.
 * @param values few enough that a reader is not kept for long
 */
export async function candidates<Type extends CandidateType>(
  db: Kysely<Schema>,
  type: Type,
  { domainId, values, sinceMs }: { domainId: number; values: readonly Values[Type][]; sinceMs: number },
): Promise<Values[Type][]> {
  if (values.length === 0) return []
  const list = sql.join(
    values.map((value) => sql`(cast(${value} as ${COLUMN_TYPE[type](db)}))`),
    sql`, `,
  )
  const lately =
    type === 'local_ip' ? localRows(domainId, sinceMs) : newestRows(sql.ref(type), domainId, sinceMs)
  const { rows } = await sql<{ value: Values[Type] }>`
    with t(value) as (values ${list})
    select value from t where (select ${ENOUGH[type]} from (${lately}) lately)`.execute(db)
  return rows.map(({ value }) => value)
}

/** PostgreSQL takes a list of parameters for texts unless it is told. */
const COLUMN_TYPE: Record<CandidateType, (db: Kysely<Schema>) => RawBuilder<unknown>> = {
  device_id: (db) => engineSql(db).bytes,
  visitor_id: (db) => engineSql(db).bytes,
  user_hid: () => sql`text`,
  local_ip: () => sql`bigint`,
}

/** The least that a pattern could be made of. Values that name nobody count along and are sorted out later. */
const ENOUGH: Record<CandidateType, RawBuilder<unknown>> = {
  device_id: sql`count(distinct user_hid) > 2`,
  visitor_id: sql`count(distinct device_id) > 2`,
  user_hid: sql`count(distinct cookie_id) > 3 or count(distinct visitor_id) > 3 or count(distinct device_id) > 3 or count(distinct country) > 1`,
  // A device with several accounts, or accounts that are risky or hide: a carrier's ordinary customers are neither.
  local_ip: sql`max(accounts) > 2 or sum(risky) > 2`,
}

const newestRows = (column: RawBuilder<unknown>, domainId: number, sinceMs: number) => sql`
  select i.user_hid, i.device_id, i.visitor_id, i.cookie_id, i.country, i.web_rtc_ip, i.score from identifications i
  where i.domain_id = ${domainId} and i.${column} = t.value and i.created_at >= ${sinceMs}
  order by i.created_at desc limit ${ENTITY_ROWS_MAX}`

const localRows = (domainId: number, sinceMs: number) => sql`
  select count(distinct user_hid) as accounts, count(distinct case when risky = 1 then user_hid end) as risky from (
    select user_hid, device_id, 1 as risky
    from (${newestRows(sql.ref('webrtc_leak_ip'), domainId, sinceMs)}) leaking
    union all
    select user_hid, device_id, case when score >= 30 then 1 else 0 end
    from (${newestRows(sql.ref('ip'), domainId, sinceMs)}) direct where web_rtc_ip is not null
  ) seen group by device_id`

const COLUMNS = [
  'id',
  'created_at',
  'device_id',
  'visitor_id',
  'cookie_id',
  'user_hid',
  'host',
  'ip',
  'country',
  'connection_type',
  'score',
  'web_rtc_ip',
  'webrtc_leak_ip',
] as const

export type StoredPatternRow = Pick<IdentificationRow, (typeof COLUMNS)[number]>

/** Kind and value of what a pattern is about, the value as the wire has it. */
export interface PatternEntityKey {
  domainId: number
  type: 'device_id' | 'visitor_id' | 'user_hid' | 'local_ip'
  value: string
}

/** The newest rows of an entity since a time, newest first. */
export async function patternRows(
  db: Kysely<Schema>,
  { domainId, type, value }: PatternEntityKey,
  sinceMs: number,
): Promise<StoredPatternRow[]> {
  const rows = (column: 'device_id' | 'visitor_id' | 'user_hid' | 'ip' | 'webrtc_leak_ip', of: ColumnValue) =>
    db
      .selectFrom('identifications')
      .select(COLUMNS)
      .where('domain_id', '=', domainId)
      .where(column, '=', of)
      .where('created_at', '>=', sinceMs)
      .orderBy('created_at', 'desc')
      .limit(ENTITY_ROWS_MAX)
      .execute()
  if (type === 'user_hid') return rows(type, value)
  if (type !== 'local_ip') return isUuid(value) ? rows(type, uuidBytesOrNil(value)) : []
  const address = ipv4ToNumber(value)
  if (address === undefined) return []
  const [leaking, direct] = await Promise.all([rows('webrtc_leak_ip', address), rows('ip', address)])
  const seen = direct.filter(({ webrtc_leak_ip, web_rtc_ip }) => (webrtc_leak_ip ?? web_rtc_ip) === address)
  return [...leaking, ...seen].sort((a, b) => b.created_at - a.created_at)
}

type ColumnValue = Uint8Array | string | number

/** An account is told by its latest visits. */
const HOME_ROWS = 50

/** Devices of an account's latest visits, newest first. */
export async function devicesOfAccount(
  db: Kysely<Schema>,
  domainId: number,
  account: string,
  sinceMs: number,
): Promise<Uint8Array[]> {
  const rows = await db
    .selectFrom('identifications')
    .select('device_id')
    .where('domain_id', '=', domainId)
    .where('user_hid', '=', account)
    .where('created_at', '>=', sinceMs)
    .orderBy('created_at', 'desc')
    .limit(HOME_ROWS)
    .execute()
  return rows.map(({ device_id }) => device_id)
}
