import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'
import { auditStore, SERVER } from '../users/users.ts'
import { bumpDirectoryVersion } from './domains.ts'

/** How long webhook endpoints have failed. An accepted send ends the failures of its endpoint. */

/** Enabled endpoints whose last sends failed. */
export async function failingEndpoints(db: Kysely<Schema>): Promise<{ id: number; failing_since: number }[]> {
  const rows = await db
    .selectFrom('endpoints')
    .select(['id', 'failing_since'])
    .where('enabled', '=', 1)
    .where('failing_since', 'is not', null)
    .execute()
  return rows.flatMap(({ id, failing_since }) => (failing_since === null ? [] : [{ id, failing_since }]))
}

export const countFailures = (
  transaction: Kysely<Schema>,
  id: number,
  { sends, firstFailedAt }: { sends: number; firstFailedAt: number },
): Promise<unknown> =>
  transaction
    .updateTable('endpoints')
    .set({
      // The earlier one: failures that began while the clock was ahead would otherwise begin in the future.
      failing_since: sql`case when failing_since < ${firstFailedAt} then failing_since else ${firstFailedAt} end`,
      failed_sends: sql`failed_sends + ${sends}`,
    })
    .where('id', '=', id)
    .execute()

export const endFailures = (transaction: Kysely<Schema>, ids: readonly number[]): Promise<unknown> =>
  transaction
    .updateTable('endpoints')
    .set({ failing_since: null, failed_sends: 0 })
    .where('id', 'in', ids)
    .execute()

interface FailureLimits {
  failingBefore: number
  failedSendsMin: number
}

/** Disables the endpoints beyond both limits and says so in the audit log. */
export const disableFailing = (
  writes: Kysely<Schema>,
  { failingBefore, failedSendsMin }: FailureLimits,
  nowMs: number,
): Promise<{ id: number; domain: string }[]> =>
  writes.transaction().execute(async (transaction) => {
    const rows = await transaction
      .updateTable('endpoints')
      .set({ enabled: 0, disabled_at: nowMs })
      .where('enabled', '=', 1)
      .where('failing_since', '<=', failingBefore)
      .where('failed_sends', '>=', failedSendsMin)
      .returning(['id', 'domain_id', 'failed_sends'])
      .execute()
    if (rows.length === 0) return []
    await bumpDirectoryVersion(transaction)
    const domains = await transaction.selectFrom('domains').select(['id', 'name']).execute()
    const disabled = rows.map((row) => ({
      ...row,
      domain: domains.find(({ id }) => id === row.domain_id)?.name ?? '',
    }))
    for (const { id, domain, failed_sends } of disabled)
      await auditStore(transaction).add(
        { actor: SERVER, action: 'endpoint.disable', target: domain, detail: { endpoint: id, failed_sends } },
        nowMs,
      )
    return disabled
  })

/** Endpoints by state, for metrics and the health page. */
export async function endpointStates(
  db: Kysely<Schema>,
): Promise<{ id: number; domain: string; state: 'failing' | 'disabled' }[]> {
  const rows = await db
    .selectFrom('endpoints')
    .innerJoin('domains', 'domains.id', 'endpoints.domain_id')
    .select(['endpoints.id', 'domains.name as domain', 'endpoints.disabled_at'])
    .where(({ eb, or }) =>
      or([
        eb('endpoints.disabled_at', 'is not', null),
        eb.and([eb('endpoints.failing_since', 'is not', null), eb('endpoints.enabled', '=', 1)]),
      ]),
    )
    .orderBy('endpoints.id')
    .execute()
  return rows.map(({ id, domain, disabled_at }) => ({
    id,
    domain,
    state: disabled_at === null ? 'failing' : 'disabled',
  }))
}
