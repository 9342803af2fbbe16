import type { ClientBase } from 'pg'
import { columnNames, DECISION } from '../columns.ts'
import type { NewDecision, WriteOperation, WriteOutcome } from '../store.ts'
import { arrayStatement, conflictFreeBatches, hexOf } from './array-statement.ts'

export type StoreDecision = Extract<WriteOperation, { type: 'decision' }>

/** Stores decisions beside the visits they are about, inside a transaction. */
export async function storeDecisions(
  client: ClientBase,
  batch: readonly StoreDecision[],
): Promise<Map<StoreDecision, WriteOutcome>> {
  const outcomes = new Map<StoreDecision, WriteOutcome>()
  for (const part of conflictFreeBatches(batch, ({ row }) => conflictKeys(row))) {
    const { rows } = await ADD.run<Found>(
      client,
      part.map(({ row }) => row),
    )
    const visits = new Set(rows.map(visitOf))
    const added = new Set(rows.map((row) => `${visitOf(row)} ${row.purpose}`))
    for (const one of part) {
      const visit = visitOf(one.row)
      const isAdded = added.has(`${visit} ${one.row.purpose}`)
      outcomes.set(one, { type: isAdded ? 'decided' : visits.has(visit) ? 'used' : 'gone' })
    }
  }
  return outcomes
}

interface Found {
  domain_id: number
  request_id: Uint8Array
  /** Of a decision that was added; null for a visit alone. */
  purpose: string | null
}

const visitOf = ({ domain_id, request_id }: Pick<Found, 'domain_id' | 'request_id'>): string =>
  `${domain_id} ${hexOf(request_id)}`

const conflictKeys = (row: NewDecision): string[] => [
  `${visitOf(row)} ${row.purpose}`,
  ...(row.idempotency_key === null ? [] : [`${row.domain_id} key ${row.idempotency_key}`]),
]

const NAMES = columnNames(DECISION)

/**
 * The visits are locked, so that no erasure removes one and leaves its decision, in the order of refinements and
 * removals. Evidence that came while it was decided makes a decision stale.
 */
const ADD = arrayStatement(
  'add decisions',
  DECISION,
  (rows) => `with given as materialized (select * from ${rows}),
    visits as materialized (
      select i.domain_id, i.request_id, i.ver
      from (select distinct domain_id, request_id from given) asked
      join request_ids used on used.request_id = asked.request_id
      join identifications i on i.created_at = used.created_at and i.request_id = used.request_id
        and i.domain_id = asked.domain_id
      order by i.id for update of i),
    added as (
      insert into decisions (${NAMES.join(', ')}, stale)
      select ${NAMES.map((name) => `given.${name}`).join(', ')}, nullif(visits.ver, given.ver)
      from given join visits using (domain_id, request_id)
      on conflict do nothing returning domain_id, request_id, purpose)
    select visits.domain_id, visits.request_id, added.purpose
    from visits left join added using (domain_id, request_id)`,
)
