import type { ClientBase } from 'pg'
import { IDENTIFICATION, OUTBOX_ENTRY, type RowOf, STICKY_VERDICT } from '../columns.ts'
import type { NewIdentification, WriteOperation, WriteOutcome } from '../store.ts'
import { addBytes, type Grown, newBytes, type StoredValue } from '../stored-bytes.ts'
import type { HashedVisit, VelocityBatch } from '../velocity/velocity-batch.ts'
import { arrayStatement, conflictFreeBatches, hexOf, insertStatement, runIfAny } from './array-statement.ts'
import type { KnownCounts } from './known-counts.ts'
import { LostRace } from './lost-race.ts'
import { commitsToShards, letRun, type StatementsSent } from './pools.ts'
import { addDevices, addKeys, changeDevices, removeDevices } from './write-devices.ts'
import { type LockedCounts, lockVelocity, saveVelocity } from './write-velocity.ts'

export interface StoreIdentification {
  type: 'identification'
  operation: Extract<WriteOperation, { type: 'identification' }>
  /** Compressed. */
  snapshot: Uint8Array | undefined
}

/** What a batch adds to. */
interface Batch {
  grown: Grown
  sent: StatementsSent
}

/** Identifications of a transaction with all that belongs to them, but for their rows, which have the counts. */
export interface Identifications {
  outcomes: ReadonlyMap<StoreIdentification, WriteOutcome>
  stored: readonly Stored[]
}

/**
 * Stores the snapshots, events and devices of identifications, inside a transaction. A statement waits for another only
 * where it needs its answer, because the journey takes longer than the work.
 */
export async function storeIdentifications(
  client: ClientBase,
  batch: readonly StoreIdentification[],
  sent: StatementsSent,
): Promise<Identifications> {
  const outcomes = new Map<StoreIdentification, WriteOutcome>()
  const stored: Stored[] = []
  for (const part of conflictFreeBatches(batch, conflictKeys)) {
    const { added, devices } = await addPart(client, part, outcomes)
    if (added.length === 0) continue
    writePart(client, { added, devices, sent })
    stored.push(...added)
  }
  return { outcomes, stored }
}

/**
 * Counts identifications and stores their rows. Other nodes may wait for the counts, so little may come after it.
 * @returns the transactions that must have been the last to write the rows of domains
 */
export async function addCountedRows(
  client: ClientBase,
  { stored }: Identifications,
  { grown, sent, known }: Batch & { known: KnownCounts },
): Promise<LockedCounts['versions']> {
  if (stored.length === 0) return new Map()
  const { batch, versions } = await lockVelocity(client, visitsOf(stored), known)
  const rows = stored.map(({ one, id }) => completeRow(one, { id, velocity: batch, grown }))
  letRun(sent, ADD_IDENTIFICATIONS.run(client, rows))
  saveVelocity(client, batch, { known, sent })
  return versions
}

interface Stored {
  one: StoreIdentification
  /** Of its row. */
  id: number
  /** Of its events. */
  outboxIds: number[]
}

const visitsOf = (stored: readonly Stored[]): HashedVisit[] =>
  stored.flatMap(({ one: { operation } }) => hashedVisit(operation) ?? [])

const hashedVisit = ({ row, velocity }: StoreIdentification['operation']): HashedVisit | undefined =>
  velocity && { domainId: row.domain_id, hashes: velocity, atMs: row.created_at }

function completeRow(
  { operation, snapshot }: StoreIdentification,
  { id, velocity, grown }: { id: number; velocity: VelocityBatch; grown: Grown },
): NewIdentification & { id: number } {
  const { outbox, device } = operation
  const visit = hashedVisit(operation)
  const row = { ...operation.row, velocity: visit ? velocity.count(visit) : null }
  const values = [row, ...outbox].flatMap<StoredValue>(Object.values)
  const bytes = newBytes([...values, snapshot], device)
  addBytes(grown, row.domain_id, bytes)
  return { ...row, bytes, id }
}

function conflictKeys({ operation: { row, device } }: StoreIdentification): string[] {
  const keys = row.request_id ? [`request ${hexOf(row.request_id)}`] : []
  if (device?.number !== undefined) keys.push(`device ${device.number}`)
  else if (device) keys.push(`device ${device.domainId} ${device.profile.deviceId}`)
  if (device?.merged) keys.push(`device ${device.merged.number}`)
  return keys
}

type NewDevices = ReadonlyMap<StoreIdentification, number>

/** Takes the request IDs and adds the new devices, and tells the identifications that are to be stored from the others. */
async function addPart(
  client: ClientBase,
  part: readonly StoreIdentification[],
  outcomes: Map<StoreIdentification, WriteOutcome>,
): Promise<{ added: Stored[]; devices: NewDevices }> {
  const { ids, devices, isUsed } = commitsToShards(client)
    ? await reserveOnShards(client, part)
    : await reserve(client, part)
  const added = part.flatMap((one) => {
    const { device } = one.operation
    const isTaken = device !== undefined && device.number === undefined && !devices.has(one)
    const { id = 0, outboxIds = [] } = ids.get(one) ?? {}
    if (isUsed(one)) outcomes.set(one, { type: 'duplicate' })
    else outcomes.set(one, isTaken ? { type: 'taken' } : { type: 'stored', outboxIds, unlisted: undefined })
    return isTaken || isUsed(one) ? [] : [{ one, id, outboxIds }]
  })
  return { added, devices }
}

/** What a part needs before it is written. */
interface Reserved {
  ids: NewIds
  devices: NewDevices
  /** Whether the request ID had been used before. */
  isUsed(one: StoreIdentification): boolean
}

/** In one journey, because hardly any request ID was used before: the devices of those are taken back. */
async function reserve(client: ClientBase, part: readonly StoreIdentification[]): Promise<Reserved> {
  const [unused, ids, devices] = await Promise.all([
    useRequests(client, part),
    newIds(client, part),
    addDevices(client, part),
  ])
  const isUsed = (one: StoreIdentification): boolean => !isIn(unused, one) && requestOf(one) !== null
  const needless = [...devices].flatMap(([one, device]) => (isUsed(one) ? [device] : []))
  await removeDevices(client, needless)
  return { ids, devices, isUsed }
}

/** A request ID is asked of all shards: one that another domain used counts as used. */
async function reserveOnShards(client: ClientBase, part: readonly StoreIdentification[]): Promise<Reserved> {
  const [used, ids] = await Promise.all([usedRequests(client, part), newIds(client, part)])
  const isUsed = (one: StoreIdentification): boolean => isIn(used, one)
  const unused = part.filter((one) => !isUsed(one))
  const [added, devices] = await Promise.all([useRequests(client, unused), addDevices(client, unused)])
  if (unused.some((one) => requestOf(one) !== null && !isIn(added, one)))
    throw new LostRace('another transaction used a request ID')
  return { ids, devices, isUsed }
}

/** Writes everything but the rows themselves, which need the counts. */
function writePart(
  client: ClientBase,
  { added, devices, sent }: { added: readonly Stored[]; devices: NewDevices; sent: StatementsSent },
): void {
  const identifications = added.map(({ one }) => one)
  const snapshots = added.flatMap(({ one: { operation, snapshot }, id }) =>
    snapshot === undefined
      ? []
      : [{ domain_id: operation.row.domain_id, identification_id: id, body: snapshot }],
  )
  const sticky = identifications.flatMap(({ operation }) => operation.sticky ?? [])
  const outbox = added.flatMap(({ one, outboxIds }) =>
    one.operation.outbox.map((entry, index) => ({ ...entry, id: outboxIds[index] ?? 0 })),
  )
  letRun(sent, runIfAny(ADD_SNAPSHOTS, client, snapshots))
  letRun(sent, runIfAny(ADD_STICKY_VERDICTS, client, sticky))
  letRun(sent, runIfAny(ADD_OUTBOX, client, outbox))
  letRun(sent, changeDevices(client, identifications))
  letRun(sent, addKeys(client, identifications, devices))
}

const requestOf = ({ operation }: StoreIdentification): Uint8Array | null => operation.row.request_id

function isIn(requests: ReadonlySet<string>, one: StoreIdentification): boolean {
  const requestId = requestOf(one)
  return requestId !== null && requests.has(hexOf(requestId))
}

/** Sorted, so that all transactions lock request IDs in the same order and cannot deadlock. */
const requestsOf = (batch: readonly StoreIdentification[]): RowOf<typeof REQUEST>[] =>
  batch
    .flatMap(({ operation: { row } }) =>
      row.request_id === null
        ? []
        : [{ domain_id: row.domain_id, request_id: row.request_id, created_at: row.created_at }],
    )
    .sort((a, b) => Buffer.compare(a.request_id, b.request_id))

/** @returns the request IDs that were used before, in hexadecimal digits */
const usedRequests = (
  client: ClientBase,
  part: readonly StoreIdentification[],
): Promise<ReadonlySet<string>> => requestsAnswered(FIND_REQUESTS, client, part)

/** @returns the request IDs that were not used before, in hexadecimal digits */
const useRequests = (
  client: ClientBase,
  part: readonly StoreIdentification[],
): Promise<ReadonlySet<string>> => requestsAnswered(USE_REQUESTS, client, part)

async function requestsAnswered(
  statement: typeof USE_REQUESTS,
  client: ClientBase,
  part: readonly StoreIdentification[],
): Promise<ReadonlySet<string>> {
  const requests = requestsOf(part)
  if (requests.length === 0) return new Set()
  const { rows } = await statement.run<{ request_id: Uint8Array }>(client, requests)
  return new Set(rows.map(({ request_id }) => hexOf(request_id)))
}

type NewIds = ReadonlyMap<StoreIdentification, Pick<Stored, 'id' | 'outboxIds'>>

/** Takes IDs for the rows before they are inserted, so that outcomes can name them. */
async function newIds(client: ClientBase, part: readonly StoreIdentification[]): Promise<NewIds> {
  const events = part.reduce((sum, { operation }) => sum + operation.outbox.length, 0)
  const { rows } = await client.query<{ ids: number[]; outbox_ids: number[] | null }>({
    name: 'new ids',
    text: `select
      (select array_agg(nextval('identifications_id_seq')) from generate_series(1, $1)) as ids,
      (select array_agg(nextval('outbox_id_seq')) from generate_series(1, $2)) as outbox_ids`,
    values: [part.length, events],
  })
  const { ids = [], outbox_ids } = rows[0] ?? {}
  let next = 0
  return new Map(
    part.map((one, index) => {
      const from = next
      next += one.operation.outbox.length
      return [one, { id: ids[index] ?? 0, outboxIds: outbox_ids?.slice(from, next) ?? [] }]
    }),
  )
}

const ID = { id: 'integer' } as const
const REQUEST = { domain_id: 'integer', request_id: 'bytes', created_at: 'integer' } as const

const FIND_REQUESTS = arrayStatement(
  'find requests',
  REQUEST,
  (rows) => `select request_id from request_ids where request_id in (select given.request_id from ${rows})`,
)
const USE_REQUESTS = arrayStatement(
  'use requests',
  REQUEST,
  (rows) => `insert into request_ids (domain_id, request_id, created_at)
    select domain_id, request_id, created_at from ${rows} on conflict do nothing returning request_id`,
)
const ADD_IDENTIFICATIONS = insertStatement('identifications', { ...IDENTIFICATION, ...ID })
const ADD_OUTBOX = insertStatement('outbox', { ...OUTBOX_ENTRY, ...ID })
const ADD_STICKY_VERDICTS = insertStatement('sticky_verdicts', STICKY_VERDICT)
const ADD_SNAPSHOTS = insertStatement('snapshots', {
  domain_id: 'integer',
  identification_id: 'integer',
  body: 'bytes',
})
