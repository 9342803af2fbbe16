import type { ClientBase } from 'pg'
import { FEED_IS_ON, isLateChange } from '../change-feed/is-late-change.ts'
import { IDENTIFICATION, REFINED_COLUMNS } from '../columns.ts'
import type { NewIdentification, OutboxRenewal, WriteOperation, WriteOutcome } from '../store.ts'
import { addBytes, type Grown, refinedBytes, UNMEASURED_BYTES } from '../stored-bytes.ts'
import {
  type ArrayStatement,
  arrayStatement,
  conflictFreeBatches,
  hexOf,
  runIfAny,
} from './array-statement.ts'
import { numbersOnShards } from './new-numbers.ts'
import { letRun, type StatementsSent } from './pools.ts'
import { addStickyVerdicts, withdrawStickyVerdicts } from './write-sticky-verdicts.ts'

export interface RefineIdentification {
  type: 'refinement'
  operation: Extract<WriteOperation, { type: 'refinement' }>
  /** Compressed. */
  snapshot: Uint8Array | undefined
}

/** What a batch adds to. */
interface Batch {
  grown: Grown
  sent: StatementsSent
}

/** Writes later versions of identifications, inside a transaction. */
export async function refineIdentifications(
  client: ClientBase,
  batch: readonly RefineIdentification[],
  written: Batch,
): Promise<Map<RefineIdentification, WriteOutcome>> {
  const outcomes = new Map<RefineIdentification, WriteOutcome>()
  const parts = conflictFreeBatches(batch, ({ operation: { row } }) =>
    row.request_id ? [hexOf(row.request_id)] : [],
  )
  for (const part of parts) await refinePart(client, part, outcomes, written)
  return outcomes
}

/** Where a row is: the table is partitioned by time, so the ID alone would search every partition. */
interface Location {
  id: number
  created_at: number
}

/** What is stored so far. */
interface Stored extends Location {
  ver: number
  bytes: number | null
  /** Size of the snapshot, if there is one. */
  snapshot: number | null
}

async function refinePart(
  client: ClientBase,
  part: readonly RefineIdentification[],
  outcomes: Map<RefineIdentification, WriteOutcome>,
  { grown, sent }: Batch,
): Promise<void> {
  const locations = await lockRows(client, part)
  const found = part.flatMap((one) => {
    const { domain_id, request_id } = one.operation.row
    const location = request_id === null ? undefined : locations.get(nameOf(domain_id, request_id))
    const isCurrent = location?.ver === one.operation.earlierVer
    if (!location || !isCurrent) outcomes.set(one, { type: location ? 'outdated' : 'gone' })
    return location && isCurrent ? [{ one, location }] : []
  })
  if (found.length === 0) return
  const rows = found.map(({ one, location: { id, created_at, bytes: counted, snapshot } }) => {
    const { row } = one.operation
    const earlier = { bytes: counted ?? UNMEASURED_BYTES, snapshot: snapshot ?? 0 }
    const bytes = refinedBytes(earlier, { verdict: row.verdict, snapshot: one.snapshot?.length })
    addBytes(grown, row.domain_id, bytes - earlier.bytes)
    return { ...row, id, created_at, bytes }
  })
  const snapshots = found.flatMap(({ one, location }) =>
    one.snapshot === undefined
      ? []
      : [{ domain_id: one.operation.row.domain_id, identification_id: location.id, body: one.snapshot }],
  )
  const sticky = found.flatMap(({ one }) => one.operation.sticky ?? [])
  const renewals = found.flatMap(({ one }) => one.operation.outbox)
  // In this order, in one journey: the earlier version is kept before the row changes.
  letRun(sent, KEEP_VERSIONS.run(client, rows))
  letRun(sent, REFINE.run(client, rows))
  const evident = found.flatMap(({ one: { operation } }) => (operation.isRescored ? [] : [operation.row]))
  letRun(sent, runIfAny(OUTDATE, client, evident))
  const late = rows.filter(({ created_at }) => isLateChange(created_at, Date.now()))
  letRun(sent, runIfAny(NOTE_LATE, client, late))
  letRun(sent, runIfAny(RENEW_SNAPSHOTS, client, snapshots))
  const withdrawn = found.flatMap(({ one: { operation } }) =>
    operation.withdrawsSticky ? [operation.row] : [],
  )
  letRun(sent, withdrawStickyVerdicts(client, withdrawn))
  const numbers = await numbersOnShards(client, { sticky_verdicts: sticky.length })
  letRun(sent, addStickyVerdicts(client, sticky, numbers))
  const renewed = await renewOutbox(client, renewals)
  for (const { one } of found)
    outcomes.set(one, {
      type: 'refined',
      renewed: one.operation.outbox.flatMap(({ id }) => (renewed.has(id) ? [id] : [])),
    })
}

/** Finds and locks the rows with these request IDs, in the order of their IDs as every other transaction does. */
async function lockRows(
  client: ClientBase,
  part: readonly RefineIdentification[],
): Promise<Map<string, Stored>> {
  const requests = part.flatMap(({ operation: { row } }) =>
    row.request_id === null ? [] : [{ domain_id: row.domain_id, request_id: row.request_id }],
  )
  const rows = await LOCK.run(client, requests)
  return new Map(rows.map(({ domain_id, request_id, ...stored }) => [nameOf(domain_id, request_id), stored]))
}

const nameOf = (domainId: number, requestId: Uint8Array): string => `${domainId} ${hexOf(requestId)}`

async function renewOutbox(client: ClientBase, renewals: readonly OutboxRenewal[]): Promise<Set<number>> {
  if (renewals.length === 0) return new Set()
  const rows = renewals
    .map(({ id, body, heldUntil, dueAt }) => ({ id, body, held_until: heldUntil, due_at: dueAt }))
    .sort((a, b) => a.id - b.id)
  const renewed = await RENEW_OUTBOX.run(client, rows)
  return new Set(renewed.map(({ id }) => id))
}

const LOCATION = { domain_id: 'integer', id: 'integer', created_at: 'integer' } as const
const REFINED = Object.fromEntries(REFINED_COLUMNS.map((name) => [name, IDENTIFICATION[name]]))

const LOCK = arrayStatement(
  'lock identifications',
  { domain_id: 'integer', request_id: 'bytes' },
  (
    rows,
    { table },
  ) => `select i.id, i.created_at, i.ver, i.domain_id, i.request_id, i.bytes, octet_length(s.body) as snapshot
    from ${rows}
    join ${table('request_ids')} used using (domain_id, request_id)
    join ${table('identifications')} i using (domain_id, request_id, created_at)
    left join ${table('snapshots')} s on s.domain_id = i.domain_id and s.identification_id = i.id
    order by i.id for update of i`,
  { ...LOCATION, ver: 'integer', request_id: 'bytes', bytes: 'integer or null', snapshot: 'integer or null' },
)
const KEEP_VERSIONS = arrayStatement(
  'keep versions',
  LOCATION,
  (rows, { table }) => `
    insert into ${table('versions')} (domain_id, identification_id, ver, score, flags, connection_type, verdict)
    select i.domain_id, i.id, i.ver, i.score, i.flags, i.connection_type, i.verdict
    from ${rows} join ${table('identifications')} i using (domain_id, id, created_at)`,
)
const REFINE: ArrayStatement<NewIdentification & Location> = arrayStatement(
  'refine',
  { ...REFINED, ...LOCATION },
  (rows, { table }) => `update ${table('identifications')} i
    set ${REFINED_COLUMNS.map((name) => `${name} = given.${name}`).join(', ')}
    from ${rows} where i.domain_id = given.domain_id and i.id = given.id and i.created_at = given.created_at`,
)
/** What was decided about them is to be compared with them. */
const OUTDATE: ArrayStatement<NewIdentification> = arrayStatement(
  'outdate decisions',
  { domain_id: 'integer', request_id: 'bytes or null', ver: 'integer' },
  (rows, { table }) => `update ${table('decisions')} as decisions set stale = given.ver from ${rows}
    where decisions.domain_id = given.domain_id and decisions.request_id = given.request_id`,
)
const NOTE_LATE = arrayStatement(
  'note late changes',
  { domain_id: 'integer', id: 'integer', ver: 'integer' },
  (rows) => `insert into late_changes (domain_id, kind, row_id, ver, key)
    select given.domain_id, 'identification', given.id, given.ver, ''
    from ${rows} where ${FEED_IS_ON} on conflict do nothing`,
)
const RENEW_SNAPSHOTS = arrayStatement(
  'renew snapshots',
  { domain_id: 'integer', identification_id: 'integer', body: 'bytes' },
  (rows, { table }) => `update ${table('snapshots')} as snapshots set body = given.body from ${rows}
    where snapshots.domain_id = given.domain_id and snapshots.identification_id = given.identification_id`,
)
const RENEW_OUTBOX = arrayStatement(
  'renew outbox',
  { id: 'integer', body: 'bytes', held_until: 'integer', due_at: 'integer' },
  (rows) => `update outbox set body = given.body, due_at = given.due_at from ${rows}
    where outbox.id = given.id and outbox.due_at = given.held_until returning outbox.id`,
  { id: 'integer' },
)
