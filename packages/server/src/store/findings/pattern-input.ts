import { isUuid } from '@inkling/contract'
import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { ipv4ToNumber } from '../../lib/address.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { uuidBytesOrNil } from '../../lib/uuid.ts'
import { engineSql } from '../engine-sql.ts'
import { type IdRange, inRange } from '../identifications/id-range.ts'
import type { IdentificationRow } from '../identifications/identifications.ts'
import type { Schema } from '../schema.ts'

/** Rows that are read of one entity, newest first; enough for every threshold. */
const ENTITY_ROWS_MAX = 300
/**
 * Rows of an entity that are searched for others than the newest: whoever wants to hide behind visits of no interest
 * needs more of them than an address may send in five hours.
 */
const SEARCHED_ROWS_MAX = 20_000
/** Of an address fewer are counted, because at a carrier's thousands of addresses everybody has many. */
const LOCAL_ROWS_MAX = 2_000

/** Entity types with the type of their column. */
interface Values {
  device_id: Uint8Array
  visitor_id: Uint8Array
  user_hid: string
  local_ip: number
}
export type CandidateType = keyof Values

/** An entity in the form of its column. */
interface TouchedEntity<Type extends CandidateType> {
  domain_id: number
  value: Values[Type]
}

/**
 * The local address is the leaked one, or else the one that the network check observed. Without a leak that is the
 * public address, so two indexes together find the rows.
 */
const LOCAL_IP = sql`coalesce(webrtc_leak_ip, web_rtc_ip)`

/** The entities of a range's identifications. */
export async function touchedEntities<Type extends CandidateType>(
  db: Kysely<Schema>,
  type: Type,
  range: IdRange,
): Promise<TouchedEntity<Type>[]> {
  const column = type === 'local_ip' ? LOCAL_IP : sql.ref(type)
  const { rows } = await sql<TouchedEntity<Type>>`
    select distinct domain_id, ${column} as value from identifications
    where ${inRange(db, range)} and ${column} is not null`.execute(db)
  return rows
}

/**
 * The entities that may have a pattern; the others are below every threshold.
 * @param values a small batch, so that the reader is not blocked for long
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
  const recent =
    type === 'local_ip' ? localRows(domainId, sinceMs) : newestRows(sql.ref(type), domainId, sinceMs)
  const { rows } = await sql<{ value: Values[Type] }>`
    with t(value) as (values ${list})
    select value from t where (select ${ENOUGH[type]} from (${recent}) recent)`.execute(db)
  return rows.map(({ value }) => value)
}

/** PostgreSQL treats parameters in a list as text without a cast. */
const COLUMN_TYPE: Record<CandidateType, (db: Kysely<Schema>) => RawBuilder<unknown>> = {
  device_id: (db) => engineSql(db).bytes,
  visitor_id: (db) => engineSql(db).bytes,
  user_hid: () => sql`text`,
  local_ip: () => sql`bigint`,
}

/** A lower bound of all patterns. It also counts values that identify nobody, which the patterns ignore. */
const ENOUGH: Record<CandidateType, RawBuilder<unknown>> = {
  device_id: sql`count(distinct user_hid) > 2`,
  visitor_id: sql`count(distinct device_id) > 2`,
  user_hid: sql`count(distinct cookie_id) > 3 or count(distinct visitor_id) > 3 or count(distinct device_id) > 3 or count(distinct country) > 1`,
  // A device with several accounts, or accounts that are risky or hide their address. Customers of a carrier that
  // share an address are neither.
  local_ip: sql`max(accounts) > 2 or sum(risky) > 2`,
}

const newestRows = (
  column: RawBuilder<unknown>,
  domainId: number,
  sinceMs: number,
  rowsMax = SEARCHED_ROWS_MAX,
) => sql`
  select i.user_hid, i.device_id, i.visitor_id, i.cookie_id, i.country, i.web_rtc_ip, i.score from identifications i
  where i.domain_id = ${domainId} and i.${column} = t.value and i.created_at >= ${sinceMs}
  order by i.created_at desc limit ${rowsMax}`

const localRows = (domainId: number, sinceMs: number) => sql`
  select count(distinct user_hid) as accounts, count(distinct case when risky = 1 then user_hid end) as risky from (
    select user_hid, device_id, 1 as risky
    from (${newestRows(sql.ref('webrtc_leak_ip'), domainId, sinceMs, LOCAL_ROWS_MAX)}) leaking
    union all
    select user_hid, device_id, case when score >= 30 then 1 else 0 end
    from (${newestRows(sql.ref('ip'), domainId, sinceMs, LOCAL_ROWS_MAX)}) direct where web_rtc_ip is not null
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

/** The entity that a pattern is about, with its value in the form of the API. */
export interface PatternEntityKey {
  domainId: number
  type: 'device_id' | 'visitor_id' | 'user_hid' | 'local_ip'
  value: string
}

/** The newest rows of an entity since a time, newest first, and of the older ones those that differ from them. */
export async function patternRows(
  db: Kysely<Schema>,
  { domainId, type, value }: PatternEntityKey,
  sinceMs: number,
): Promise<StoredPatternRow[]> {
  async function rows(column: EntityColumn, of: ColumnValue): Promise<StoredPatternRow[]> {
    const all = db
      .selectFrom('identifications')
      .select(COLUMNS)
      .where('domain_id', '=', domainId)
      .where(column, '=', of)
      .where('created_at', '>=', sinceMs)
      .orderBy('created_at', 'desc')
    const newest = await all.limit(ENTITY_ROWS_MAX).execute()
    if (newest.length < ENTITY_ROWS_MAX) return newest
    const known = new Set(newest.map(({ id }) => id))
    const others = await differingRows(db, all.limit(SEARCHED_ROWS_MAX))
    return [...newest, ...others.filter(({ id }) => !known.has(id))].sort(
      (a, b) => b.created_at - a.created_at,
    )
  }
  if (type === 'user_hid') return rows(type, value)
  if (type !== 'local_ip') return isUuid(value) ? rows(type, uuidBytesOrNil(value)) : []
  const address = ipv4ToNumber(value)
  if (address === undefined) return []
  const [leaking, direct] = await Promise.all([rows('webrtc_leak_ip', address), rows('ip', address)])
  const seen = direct.filter(({ webrtc_leak_ip, web_rtc_ip }) => (webrtc_leak_ip ?? web_rtc_ip) === address)
  return [...leaking, ...seen].sort((a, b) => b.created_at - a.created_at)
}

type EntityColumn = 'device_id' | 'visitor_id' | 'user_hid' | 'ip' | 'webrtc_leak_ip'
type ColumnValue = Uint8Array | string | number

/**
 * Of rows that agree in what the patterns compare the newest one, day by day: many visits of one device hide neither
 * another device nor what is known from earlier days.
 */
async function differingRows(
  db: Kysely<Schema>,
  all: SelectQueryBuilder<Schema, 'identifications', StoredPatternRow>,
): Promise<StoredPatternRow[]> {
  const rank = (values: RawBuilder<unknown>) =>
    sql<number>`row_number() over (partition by ${values} order by created_at desc)`
  const ranked = db
    .selectFrom(all.as('searched'))
    .select(COLUMNS)
    .select([
      rank(sql`device_id, user_hid, country, connection_type, created_at / ${sql.lit(DAY_MS)}`).as(
        'of_visits',
      ),
      rank(sql`host, cookie_id, visitor_id`).as('of_ids'),
    ])
  return db
    .selectFrom(ranked.as('ranked'))
    .select(COLUMNS)
    .where(({ eb, or }) => or([eb('of_visits', '=', 1), eb('of_ids', '=', 1)]))
    .execute()
}

/** Visits that an account's usual devices are taken from. */
const USUAL_VISITS = 50

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
    .limit(USUAL_VISITS)
    .execute()
  return rows.map(({ device_id }) => device_id)
}
