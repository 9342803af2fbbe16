import type { Kysely } from 'kysely'
import type { UuidBytes } from '../../lib/uuid.ts'
import type { Schema } from '../schema.ts'
import type { Store } from '../store.ts'

/** Of a statement. */
const AT_ONCE = 500

/** Removes what alerts say about visits; their counts stay. Needs a transaction. */
export async function forgetAlertVisits(
  transaction: Kysely<Schema>,
  domainId: number,
  requestIds: readonly UuidBytes[],
): Promise<void> {
  if (requestIds.length > 0)
    await transaction
      .deleteFrom('alert_events')
      .where('domain_id', '=', domainId)
      .where('request_id', 'in', requestIds)
      .execute()
}

/** The same of findings and decisions. */
export async function forgetAlertsOf(
  transaction: Kysely<Schema>,
  domainId: number,
  of: 'finding' | 'decision',
  ids: readonly number[],
): Promise<void> {
  for (let start = 0; start < ids.length; start += AT_ONCE)
    await transaction
      .deleteFrom('alert_events')
      .where('domain_id', '=', domainId)
      .where(
        'reference',
        'in',
        ids.slice(start, start + AT_ONCE).map((id) => `${of}:${id}`),
      )
      .execute()
}

/** Removes some alerts that ended before a time, with their events and messages. @returns how many */
export async function removeOldAlerts(
  store: Store,
  domainId: number,
  beforeMs: number,
  limit: number,
): Promise<number> {
  const rows = await store.jobReads
    .selectFrom('alerts')
    .select('id')
    .where('domain_id', '=', domainId)
    .where('last_at', '<', beforeMs)
    .where('open', '=', 0)
    .limit(limit)
    .execute()
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0)
    await store.writes.transaction().execute(async (transaction) => {
      for (const table of ['alert_events', 'alert_deliveries'] as const)
        await transaction
          .deleteFrom(table)
          .where('domain_id', '=', domainId)
          .where('alert_id', 'in', ids)
          .execute()
      await transaction
        .deleteFrom('alerts')
        .where('domain_id', '=', domainId)
        .where('id', 'in', ids)
        .execute()
    })
  return ids.length
}
