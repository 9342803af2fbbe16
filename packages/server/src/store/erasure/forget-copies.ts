import type { Kysely } from 'kysely'
import type { UuidBytes } from '../../lib/uuid.ts'
import type { Schema } from '../schema.ts'

/** Tables that keep what was seen of a visit, a finding or a decision, beside the thing itself. */
const TABLES = ['case_events', 'alert_events'] as const
/** Of a statement. */
const AT_ONCE = 500

/** Removes what cases and alerts keep of visits; an alert keeps its count. Needs a transaction. */
export async function forgetVisitCopies(
  transaction: Kysely<Schema>,
  domainId: number,
  requestIds: readonly UuidBytes[],
): Promise<void> {
  if (requestIds.length === 0) return
  for (const table of TABLES)
    await transaction
      .deleteFrom(table)
      .where('domain_id', '=', domainId)
      .where('request_id', 'in', requestIds)
      .execute()
}

/** The same of findings and decisions. */
export async function forgetCopies(
  transaction: Kysely<Schema>,
  domainId: number,
  of: 'finding' | 'decision',
  ids: readonly number[],
): Promise<void> {
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const references = ids.slice(start, start + AT_ONCE).map((id) => `${of}:${id}`)
    for (const table of TABLES)
      await transaction
        .deleteFrom(table)
        .where('domain_id', '=', domainId)
        .where('reference', 'in', references)
        .execute()
  }
}
