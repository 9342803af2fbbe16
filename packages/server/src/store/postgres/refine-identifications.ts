import type { ClientBase } from 'pg'
import { IDENTIFICATION_COLUMNS, REFINED_COLUMNS } from '../columns.ts'
import type {
  NewIdentification,
  NewStickyVerdict,
  OutboxRenewal,
  WriteOperation,
  WriteOutcome,
} from '../store.ts'
import { hexOf, inRounds, insertRows, overRows } from './array-statement.ts'
import { type Columns, IDENTIFICATION, STICKY } from './columns.ts'

export interface RefineIdentification {
  type: 'refinement'
  operation: Extract<WriteOperation, { type: 'refinement' }>
  /** Compressed. */
  snapshot: Uint8Array | undefined
}

/** Writes later versions of identifications, as part of a transaction. */
export async function refineIdentifications(
  client: ClientBase,
  batch: readonly RefineIdentification[],
): Promise<Map<RefineIdentification, WriteOutcome>> {
  const outcomes = new Map<RefineIdentification, WriteOutcome>()
  const rounds = inRounds(batch, ({ operation: { row } }) => (row.request_id ? [hexOf(row.request_id)] : []))
  for (const round of rounds) await refineRound(client, round, outcomes)
  return outcomes
}

interface Place {
  id: number
  created_at: number
}

async function refineRound(
  client: ClientBase,
  round: readonly RefineIdentification[],
  outcomes: Map<RefineIdentification, WriteOutcome>,
): Promise<void> {
  const places = await findPlaces(client, round)
  const found = round.flatMap((one) => {
    const { domain_id, request_id } = one.operation.row
    const place = request_id === null ? undefined : places.get(nameOf(domain_id, request_id))
    if (!place) outcomes.set(one, { type: 'gone' })
    return place ? [{ one, place }] : []
  })
  if (found.length === 0) return
  const rows = found.map(({ one, place }) => ({ ...one.operation.row, ...place }))
  await KEEP_VERSIONS.run(client, rows)
  await REFINE.run(client, rows)
  const snapshots = found.flatMap(({ one, place }) =>
    one.snapshot === undefined ? [] : [{ identification_id: place.id, body: one.snapshot }],
  )
  if (snapshots.length > 0) await RENEW_SNAPSHOTS.run(client, snapshots)
  const sticky = found.flatMap(({ one }) => one.operation.sticky ?? [])
  if (sticky.length > 0) await ADD_STICKY.run(client, sticky)
  const renewed = await renewOutbox(
    client,
    found.flatMap(({ one }) => one.operation.outbox),
  )
  for (const { one } of found)
    outcomes.set(one, {
      type: 'refined',
      renewed: one.operation.outbox.flatMap(({ id }) => (renewed.has(id) ? [id] : [])),
    })
}

async function findPlaces(
  client: ClientBase,
  round: readonly RefineIdentification[],
): Promise<Map<string, Place>> {
  const requests = round.flatMap(({ operation: { row } }) =>
    row.request_id === null ? [] : [{ request_id: row.request_id }],
  )
  const { rows } = await FIND.run<Place & { domain_id: number; request_id: Uint8Array }>(client, requests)
  return new Map(
    rows.map(({ domain_id, request_id, id, created_at }) => [
      nameOf(domain_id, request_id),
      { id, created_at },
    ]),
  )
}

const nameOf = (domainId: number, requestId: Uint8Array): string => `${domainId} ${hexOf(requestId)}`

async function renewOutbox(client: ClientBase, renewals: readonly OutboxRenewal[]): Promise<Set<number>> {
  if (renewals.length === 0) return new Set()
  const rows = renewals
    .map(({ id, body, heldUntil, dueAt }) => ({ id, body, held_until: heldUntil, due_at: dueAt }))
    .sort((a, b) => a.id - b.id)
  const renewed = await RENEW_OUTBOX.run<{ id: number }>(client, rows)
  return new Set(renewed.rows.map(({ id }) => id))
}

const PLACE = { id: 'bigint', created_at: 'bigint' } as const
const REFINED = Object.fromEntries(REFINED_COLUMNS.map((name) => [name, IDENTIFICATION[name]])) as Partial<
  Columns<NewIdentification>
>

const FIND = overRows<{ request_id: Uint8Array }>(
  'find identifications',
  { request_id: 'bytea' },
  (rows) => `select i.id, i.created_at, i.domain_id, i.request_id
    from ${rows}
    join request_ids used on used.request_id = given.request_id
    join identifications i on i.created_at = used.created_at and i.request_id = used.request_id
    order by i.id for update of i`,
)
const KEEP_VERSIONS = overRows<Place>(
  'keep versions',
  PLACE,
  (rows) => `insert into versions (domain_id, identification_id, ver, score, flags, connection_type, verdict)
    select i.domain_id, i.id, i.ver, i.score, i.flags, i.connection_type, i.verdict
    from ${rows} join identifications i on i.id = given.id and i.created_at = given.created_at`,
)
const REFINE = overRows<NewIdentification & Place>(
  'refine',
  { ...REFINED, ...PLACE } as Columns<NewIdentification & Place>,
  (rows) => `update identifications i
    set ${IDENTIFICATION_COLUMNS.filter((name) => name in REFINED)
      .map((name) => `${name} = given.${name}`)
      .join(', ')}
    from ${rows} where i.id = given.id and i.created_at = given.created_at`,
)
const RENEW_SNAPSHOTS = overRows<{ identification_id: number; body: Uint8Array }>(
  'renew snapshots',
  { identification_id: 'bigint', body: 'bytea' },
  (rows) => `update snapshots set body = given.body from ${rows}
    where snapshots.identification_id = given.identification_id`,
)
const RENEW_OUTBOX = overRows<{ id: number; body: Uint8Array; held_until: number; due_at: number }>(
  'renew outbox',
  { id: 'bigint', body: 'bytea', held_until: 'bigint', due_at: 'bigint' },
  (rows) => `update outbox set body = given.body, due_at = given.due_at from ${rows}
    where outbox.id = given.id and outbox.due_at = given.held_until returning outbox.id`,
)
const ADD_STICKY = insertRows<NewStickyVerdict>('sticky_verdicts', STICKY)
