import type { Kysely } from 'kysely'
import { DAY_MS, HOUR_MS } from '../../lib/durations.ts'
import { GONE } from '../devices/devices.ts'
import { unlist } from '../devices/forget-devices.ts'
import { domainStore } from '../domains/domains.ts'
import { engineSql } from '../engine-sql.ts'
import type { Schema } from '../schema.ts'
import type { Store } from '../store.ts'

/** Keys read in one query, which takes a thread of the embedded database 25 ms. */
const KEYS_AT_ONCE = { sqlite: 5_000, postgres: 20_000 } as const
/** Keys removed in one statement. */
const BATCH = 500
/** A count of devices stays so many months after the last device whose number was known. */
const COUNT_MONTHS = 13
const MONTH_MS = 30 * DAY_MS

/** Keys are hashes of 53 bits, spread evenly. */
const KEY_MAX = Number.MAX_SAFE_INTEGER

/** Keys greater than `after`, up to and including `through`. */
interface KeyRange {
  after: number
  through: number
}
const ALL: KeyRange = { after: -1, through: KEY_MAX }

interface Sweep {
  /** All keys without it. */
  range?: KeyRange
  /** Where counts without a device age as well. */
  nowMs?: number
  stopped?: () => boolean
}

interface KeyRow {
  key: number
  device: number
}

/**
 * Removes keys whose device is gone. A device is listed under every key it ever had, and its profile knows only the
 * latest; the others are found by reading the domain's keys once, on a reader, while the writer works on.
 */
export async function removeOrphanKeys(
  store: Store,
  domainId: number,
  { range: { after, through } = ALL, nowMs, stopped = () => false }: Sweep = {},
): Promise<number> {
  let removed = 0
  for (let last = after; last < through && !stopped(); ) {
    const end = await endOfPiece(store, domainId, { after: last, through })
    const orphans = await orphansIn(store.jobReads, domainId, { after: last, through: end })
    const unlisted = orphans.filter(({ device }) => device > GONE)
    for (const some of batches(unlisted))
      await unlist(store.writes, domainId, distinct(some, 'key'), distinct(some, 'device'))
    if (nowMs !== undefined) await ageCounts(store.writes, domainId, orphans, nowMs)
    removed += unlisted.length
    last = end
  }
  return removed
}

/**
 * Removes the keys of devices that retention removed, of each domain as large a part as of a day has passed since the
 * last run, of whatever node. So every key is read once a day: of a million devices with 40 keys each that takes three
 * minutes of a slow core, eight seconds an hour.
 */
export async function sweepKeys(store: Store, nowMs: number, stopped = () => false): Promise<number> {
  const last = await store.jobReads.selectFrom('key_sweep').select('swept_at').executeTakeFirst()
  const sinceMs = Math.max(nowMs - DAY_MS, Math.min(last?.swept_at ?? nowMs - HOUR_MS, nowMs))
  let removed = 0
  for (const { id } of await domainStore(store.jobReads).list())
    for (const range of rangesBetween(sinceMs, nowMs))
      removed += await removeOrphanKeys(store, id, { range, nowMs, stopped })
  if (!stopped())
    await store.writes
      .insertInto('key_sweep')
      .values({ id: 1, swept_at: nowMs })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ swept_at: nowMs }))
      .execute()
  return removed
}

/** The keys whose time of the day it was. */
function rangesBetween(sinceMs: number, nowMs: number): KeyRange[] {
  if (nowMs - sinceMs >= DAY_MS) return [ALL]
  const [after, through] = [keyAt(sinceMs), keyAt(nowMs)]
  if (after <= through) return [{ after, through }]
  return [
    { after, through: KEY_MAX },
    { after: ALL.after, through },
  ]
}

const keyAt = (atMs: number): number => Math.floor(((atMs % DAY_MS) / DAY_MS) * KEY_MAX)

/** The last key of a piece that one query reads. */
async function endOfPiece(
  { engine, jobReads }: Pick<Store, 'engine' | 'jobReads'>,
  domainId: number,
  range: KeyRange,
): Promise<number> {
  const row = await keysIn(jobReads, domainId, range)
    .select('key')
    .orderBy('key')
    .offset(KEYS_AT_ONCE[engine])
    .limit(1)
    .executeTakeFirst()
  return row?.key ?? range.through
}

const orphansIn = (db: Kysely<Schema>, domainId: number, range: KeyRange): Promise<KeyRow[]> =>
  keysIn(db, domainId, range)
    .select(['key', 'device'])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('devices')
            .select('devices.id')
            .whereRef('devices.id', '=', 'device_keys.device')
            .where(engineSql(db).besideIds('devices.domain_id'), '=', domainId),
        ),
      ),
    )
    .execute()

const distinct = (rows: readonly KeyRow[], column: keyof KeyRow): number[] => [
  ...new Set(rows.map((row) => row[column])),
]

const keysIn = (db: Kysely<Schema>, domainId: number, { after, through }: KeyRange) =>
  db
    .selectFrom('device_keys')
    .where('domain_id', '=', domainId)
    .where('key', '>', after)
    .where('key', '<=', through)

/**
 * Counts without a device do not stay for ever, or those of all offices and releases there ever were would add up. Which
 * devices still have a key cannot be looked up, but a look that is still around has a new device now and then, which
 * takes the row over. So the first sweep that finds a count dates it, and one a good year later removes it.
 */
async function ageCounts(
  writes: Kysely<Schema>,
  domainId: number,
  counts: readonly KeyRow[],
  nowMs: number,
): Promise<void> {
  const month = Math.floor(nowMs / MONTH_MS)
  for (const keys of keyBatches(counts.filter(({ device }) => device === GONE)))
    await writes
      .updateTable('device_keys')
      .set({ device: GONE - month })
      .where('domain_id', '=', domainId)
      .where('key', 'in', keys)
      .where('device', '=', GONE)
      .execute()
  const youngest = GONE - (month - COUNT_MONTHS)
  for (const keys of keyBatches(counts.filter(({ device }) => device < GONE && device > youngest)))
    await writes
      .deleteFrom('device_keys')
      .where('domain_id', '=', domainId)
      .where('key', 'in', keys)
      .where('device', '<', GONE)
      .where('device', '>', youngest)
      .execute()
}

function* batches<Value>(values: readonly Value[]): Generator<readonly Value[]> {
  for (let from = 0; from < values.length; from += BATCH) yield values.slice(from, from + BATCH)
}

function* keyBatches(rows: readonly KeyRow[]): Generator<number[]> {
  for (const some of batches(rows)) yield some.map(({ key }) => key)
}
