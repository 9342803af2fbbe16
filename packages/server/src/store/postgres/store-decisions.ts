import type { ClientBase } from 'pg'
import { columnNames, DECISION } from '../columns.ts'
import type { NewDecision, WriteOperation, WriteOutcome } from '../store.ts'
import { arrayStatement, conflictFreeBatches, hexOf } from './array-statement.ts'
import { numbersOnShards } from './new-numbers.ts'

export type StoreDecision = Extract<WriteOperation, { type: 'decision' }>

/** Stores decisions beside the visits they are about, inside a transaction. */
export async function storeDecisions(
  client: ClientBase,
  batch: readonly StoreDecision[],
): Promise<Map<StoreDecision, WriteOutcome>> {
  const outcomes = new Map<StoreDecision, WriteOutcome>()
  for (const part of conflictFreeBatches(batch, ({ row }) => conflictKeys(row))) {
    const [versions, numbers] = await Promise.all([
      lockVisits(client, part),
      numbersOnShards(client, { decisions: part.length }),
    ])
    const rows = part.flatMap(({ row }) => {
      const ver = versions.get(visitOf(row))
      // Evidence that came while it was decided makes a decision stale.
      return ver === undefined
        ? []
        : [{ ...row, stale: ver === row.ver ? null : ver, id: numbers.next('decisions') }]
    })
    const decided = await ADD.run(client, rows)
    const added = new Set(decided.map((row) => `${visitOf(row)} ${row.purpose}`))
    for (const one of part) {
      const visit = visitOf(one.row)
      const isAdded = added.has(`${visit} ${one.row.purpose}`)
      outcomes.set(one, { type: isAdded ? 'decided' : versions.has(visit) ? 'used' : 'gone' })
    }
  }
  return outcomes
}

/**
 * Locks the visits, so that no erasure removes one and leaves its decision, in the order of refinements and removals.
 * @returns the version of each
 */
async function lockVisits(
  client: ClientBase,
  part: readonly StoreDecision[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await LOCK.run(
    client,
    part.map(({ row }) => row),
  )
  return new Map(rows.map((row) => [visitOf(row), row.ver]))
}

type Visit = Pick<NewDecision, 'domain_id' | 'request_id'>

const visitOf = ({ domain_id, request_id }: Visit): string => `${domain_id} ${hexOf(request_id)}`

const conflictKeys = (row: NewDecision): string[] => [
  `${visitOf(row)} ${row.purpose}`,
  ...(row.idempotency_key === null ? [] : [`${row.domain_id} key ${row.idempotency_key}`]),
]

const VISIT = { domain_id: 'integer', request_id: 'bytes' } as const
const LOCK = arrayStatement(
  'lock decided visits',
  VISIT,
  (rows, { table }) => `select i.domain_id, i.request_id, i.ver
    from (select distinct domain_id, request_id from ${rows}) asked
    join ${table('request_ids')} used using (domain_id, request_id)
    join ${table('identifications')} i using (domain_id, request_id, created_at)
    order by i.id for update of i`,
  { ...VISIT, ver: 'integer' },
)
const NEW = { ...DECISION, stale: 'integer or null' } as const
const NAMES = columnNames(NEW).join(', ')
const ADD = arrayStatement(
  'add decisions',
  { ...NEW, id: 'integer or null' },
  (rows, { table, number }) => `insert into ${table('decisions')} (${NAMES}, id)
    select ${NAMES}, ${number('decisions')} from ${rows}
    on conflict do nothing returning domain_id, request_id, purpose`,
  { ...VISIT, purpose: 'text' },
)
