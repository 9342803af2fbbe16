import type { Store } from '../store.ts'

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
