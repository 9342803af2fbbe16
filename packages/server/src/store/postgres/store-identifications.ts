import type { ClientBase } from 'pg'
import { IDENTIFICATION, OUTBOX_ENTRY } from '../columns.ts'
import type { NewIdentification, WriteOperation, WriteOutcome } from '../store.ts'
import { addBytes, type Grown, newBytes, type StoredValue } from '../stored-bytes.ts'
import type { HashedVisit, VelocityBatch } from '../velocity/velocity-batch.ts'
import { conflictFreeBatches, hexOf, insertStatement, runIfAny } from './array-statement.ts'
import type { KnownCounts } from './known-counts.ts'
import { type DrawnNumbers, drawNumbers, NO_NUMBERS, type Numbers } from './new-numbers.ts'
import { letRun, type StatementsSent } from './pools.ts'
import { releaseRequests, takeRecentRequests, type UsedRequest, useRequests } from './use-requests.ts'
import { turnsOf } from './worker-turns.ts'
import { addDevices, addKeys, changeDevices, removeDevices } from './write-devices.ts'
import { addStickyVerdicts } from './write-sticky-verdicts.ts'
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
    const result = await addPart(client, part, outcomes)
    if (result.added.length === 0) continue
    writePart(client, { ...result, sent })
    stored.push(...result.added)
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
): Promise<Added> {
  const { unused, devices, numbers } = await reserve(client, part)
  const isUsed = (one: StoreIdentification): boolean => requestOf(one) !== null && !isIn(unused, one)
  const isTaken = (one: StoreIdentification): boolean => {
    const { device } = one.operation
    return !isUsed(one) && device !== undefined && device.number === undefined && !devices.has(one)
  }
  const needless = [...devices].flatMap(([one, id]) =>
    isUsed(one) ? [{ domain_id: one.operation.row.domain_id, id }] : [],
  )
  // A visit whose device was taken is linked and stored again, with the same request ID.
  const [added, taken] = [
    part.filter((one) => !isUsed(one) && !isTaken(one)),
    part.filter((one) => isTaken(one)),
  ]
  await Promise.all([removeDevices(client, needless), releaseRequests(client, requestsOf(taken))])
  for (const one of part) if (isUsed(one)) outcomes.set(one, { type: 'duplicate' })
  for (const one of taken) outcomes.set(one, { type: 'taken' })
  const stored = added.map((one) => ({
    one,
    id: numbers.next('identifications'),
    outboxIds: one.operation.outbox.map(() => numbers.next('outbox')),
  }))
  for (const { one, outboxIds } of stored)
    outcomes.set(one, { type: 'stored', outboxIds, unlisted: undefined })
  return { added: stored, devices, numbers: turnsOf(client) ? numbers : NO_NUMBERS }
}

interface Added {
  added: Stored[]
  devices: NewDevices
  /** For the other rows. */
  numbers: Numbers
}

/** What a part needs before it is written. */
interface Reserved {
  /** The request IDs that were not used before, in hexadecimal digits. */
  unused: ReadonlySet<string>
  devices: NewDevices
  numbers: DrawnNumbers
}

/** In one journey, because hardly any request ID was used before: the devices of those are taken back. */
async function reserve(client: ClientBase, part: readonly StoreIdentification[]): Promise<Reserved> {
  if (turnsOf(client)) return reserveOnShards(client, part)
  const [unused, numbers, devices] = await Promise.all([
    useRequests(client, requestsOf(part)),
    drawNumbers(client, { identifications: part.length, outbox: countOf(part, eventsOf) }),
    addDevices(client, part, NO_NUMBERS),
  ])
  return { unused, devices, numbers }
}

/** The shards know the request IDs of their own domains only, so those that any domain used of late are asked first. */
async function reserveOnShards(client: ClientBase, part: readonly StoreIdentification[]): Promise<Reserved> {
  const [unusedOfLate, numbers] = await Promise.all([
    takeRecentRequests(client, requestsOf(part)),
    drawNumbers(client, {
      identifications: part.length,
      outbox: countOf(part, eventsOf),
      devices: part.length,
      unlisted_keys: countOf(part, ({ device }) => device?.keys.length ?? 0),
      sticky_verdicts: countOf(part, ({ sticky }) => (sticky ? 1 : 0)),
    }),
  ])
  const fresh = part.filter((one) => requestOf(one) === null || isIn(unusedOfLate, one))
  const [unused, devices] = await Promise.all([
    useRequests(client, requestsOf(fresh)),
    addDevices(client, fresh, numbers),
  ])
  return { unused, devices, numbers }
}

type Operation = StoreIdentification['operation']

const countOf = (part: readonly StoreIdentification[], count: (operation: Operation) => number): number =>
  part.reduce((sum, { operation }) => sum + count(operation), 0)

const eventsOf = ({ outbox }: Operation): number => outbox.length

/** Writes everything but the rows themselves, which need the counts. */
function writePart(
  client: ClientBase,
  { added, devices, numbers, sent }: Added & { sent: StatementsSent },
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
  letRun(sent, addStickyVerdicts(client, sticky, numbers))
  letRun(sent, runIfAny(ADD_OUTBOX, client, outbox))
  letRun(sent, changeDevices(client, identifications))
  letRun(sent, addKeys(client, identifications, { devices, numbers }))
}

const requestOf = ({ operation }: StoreIdentification): Uint8Array | null => operation.row.request_id

function isIn(requests: ReadonlySet<string>, one: StoreIdentification): boolean {
  const requestId = requestOf(one)
  return requestId !== null && requests.has(hexOf(requestId))
}

const requestsOf = (batch: readonly StoreIdentification[]): UsedRequest[] =>
  batch.flatMap(({ operation: { row } }) =>
    row.request_id === null
      ? []
      : [{ domain_id: row.domain_id, request_id: row.request_id, created_at: row.created_at }],
  )

const ID = { id: 'integer' } as const
const ADD_IDENTIFICATIONS = insertStatement('identifications', { ...IDENTIFICATION, ...ID })
const ADD_OUTBOX = insertStatement('outbox', { ...OUTBOX_ENTRY, ...ID })
const ADD_SNAPSHOTS = insertStatement('snapshots', {
  domain_id: 'integer',
  identification_id: 'integer',
  body: 'bytes',
})
