import type { Kysely } from 'kysely'
import { DAY_MS } from '../../lib/durations.ts'
import type { Schema } from '../schema.ts'
import { floorToDay } from './contributions.ts'

/** Days that are looked up; visits are kept for fewer. */
const DAYS_MAX = 400
/** Visits that may not be counted yet. */
const NEWEST_MAX = 1_000

/**
 * Whether identifications came from a country, by its name in the rows. Those have no index by country, so the counts
 * of days tell, each with one seek, and the newest visits themselves.
 */
export async function isCountrySeen(
  db: Kysely<Schema>,
  domainId: number,
  country: string,
  nowMs: number,
): Promise<boolean> {
  const today = floorToDay(nowMs)
  const counted = await db
    .selectFrom('rollups')
    .select('start')
    .where('domain_id', '=', domainId)
    .where('span_hours', '=', 24)
    .where('dimension', '=', 'country')
    .where(
      'start',
      'in',
      Array.from({ length: DAYS_MAX }, (_, index) => today - index * DAY_MS),
    )
    .where('value', '=', country)
    .limit(1)
    .executeTakeFirst()
  if (counted) return true
  const newest = db
    .selectFrom('identifications')
    .select('country')
    .where('domain_id', '=', domainId)
    .orderBy('created_at', 'desc')
    .limit(NEWEST_MAX)
  const uncounted = await db
    .selectFrom(newest.as('newest'))
    .select('country')
    .where('country', '=', country)
    .limit(1)
    .executeTakeFirst()
  return uncounted !== undefined
}
