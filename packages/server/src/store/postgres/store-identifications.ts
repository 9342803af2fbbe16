import type { ClientBase } from 'pg'
import { type UuidBytes, uuidBytesOrNil } from '../../lib/uuid.ts'
import { encodeProfile } from '../devices/devices.ts'
import type {
  NewIdentification,
  NewOutboxEntry,
  NewStickyVerdict,
  WriteOperation,
  WriteOutcome,
} from '../store.ts'
import { type ArrayStatement, hexOf, inRounds, insertRows, overRows } from './array-statement.ts'
import { IDENTIFICATION, OUTBOX, STICKY } from './columns.ts'

export interface StoreIdentification {
  type: 'identification'
  operation: Extract<WriteOperation, { type: 'identification' }>
  /** Compressed. */
  snapshot: Uint8Array | undefined
}

/** Another transaction took a request ID between two statements of ours: the batch is tried again. */
export class LostRace extends Error {}

/** Stores identifications with all that belongs to them, as part of a transaction. */
export async function storeIdentifications(
  client: ClientBase,
  batch: readonly StoreIdentification[],
): Promise<Map<StoreIdentification, WriteOutcome>> {
  const outcomes = new Map<StoreIdentification, WriteOutcome>()
  // Statements go over many rows at once, so that those which touch the same thing come one after another.
  for (const round of inRounds(batch, touched)) await storeRound(client, round, outcomes)
  return outcomes
}

function touched({ operation: { row, device } }: StoreIdentification): string[] {
  const names = row.request_id ? [`request ${hexOf(row.request_id)}`] : []
  if (device?.number !== undefined) names.push(`device ${device.number}`)
  else if (device) names.push(`device ${device.domainId} ${device.profile.deviceId}`)
  if (device?.merged) names.push(`device ${device.merged.number}`)
  return names
}

async function storeRound(
  client: ClientBase,
  round: readonly StoreIdentification[],
  outcomes: Map<StoreIdentification, WriteOutcome>,
): Promise<void> {
  const used = await usedRequests(client, round)
  const unused = round.filter((one) => {
    const requestId = one.operation.row.request_id
    const isUsed = requestId !== null && used.has(hexOf(requestId))
    if (isUsed) outcomes.set(one, { type: 'duplicate' })
    return !isUsed
  })
  const added = await addDevices(client, unused)
  const stored = unused.filter((one) => {
    const isTaken = isNewDevice(one) && !added.has(one)
    if (isTaken) outcomes.set(one, { type: 'taken' })
    return !isTaken
  })
  if (stored.length === 0) return
  await useRequests(client, stored)
  const { ids, outboxIds } = await newIds(client, stored)
  await ADD_IDENTIFICATIONS.run(
    client,
    stored.map(({ operation }, index) => ({ ...operation.row, id: ids[index] ?? 0 })),
  )
  await addSnapshots(client, stored, ids)
  await runIfAny(
    ADD_STICKY,
    client,
    stored.flatMap(({ operation: { sticky } }) => sticky ?? []),
  )
  const outbox = stored.flatMap(({ operation }) => operation.outbox)
  await runIfAny(
    ADD_OUTBOX,
    client,
    outbox.map((entry, index) => ({ ...entry, id: outboxIds[index] ?? 0 })),
  )
  await changeDevices(client, stored)
  await addKeys(client, stored, added)
  let next = 0
  for (const one of stored) {
    const { length } = one.operation.outbox
    outcomes.set(one, {
      type: 'stored',
      outboxIds: outboxIds.slice(next, next + length),
      unlisted: undefined,
    })
    next += length
  }
}

const runIfAny = async <Row>(
  statement: ArrayStatement<Row>,
  client: ClientBase,
  rows: Row[],
): Promise<void> => {
  if (rows.length > 0) await statement.run(client, rows)
}

const isNewDevice = ({ operation: { device } }: StoreIdentification): boolean =>
  device !== undefined && device.number === undefined

/** In one order for all, so that no two transactions wait for each other. */
const byRequest = (a: { request_id: Uint8Array }, b: { request_id: Uint8Array }): number =>
  Buffer.compare(a.request_id, b.request_id)

const requestsOf = (batch: readonly StoreIdentification[]): RequestRow[] =>
  batch
    .flatMap(({ operation: { row } }) =>
      row.request_id === null
        ? []
        : [{ domain_id: row.domain_id, request_id: row.request_id, created_at: row.created_at }],
    )
    .sort(byRequest)

async function usedRequests(
  client: ClientBase,
  round: readonly StoreIdentification[],
): Promise<ReadonlySet<string>> {
  const { rows } = await FIND_REQUESTS.run<{ request_id: Uint8Array }>(client, requestsOf(round))
  return new Set(rows.map(({ request_id }) => hexOf(request_id)))
}

/** @throws LostRace */
async function useRequests(client: ClientBase, stored: readonly StoreIdentification[]): Promise<void> {
  const requests = requestsOf(stored)
  if (requests.length === 0) return
  const { rowCount } = await USE_REQUESTS.run(client, requests)
  if (rowCount !== requests.length) throw new LostRace('a request ID was used meanwhile')
}

/** Numbers of the devices that were not there before. */
async function addDevices(
  client: ClientBase,
  unused: readonly StoreIdentification[],
): Promise<Map<StoreIdentification, number>> {
  const byDevice = new Map(
    unused.flatMap((one) => {
      const { device } = one.operation
      if (!device || device.number !== undefined) return []
      const row = { domain_id: device.domainId, ...encodedProfile(device.profile) }
      return [[deviceName(row.domain_id, row.device_id), { one, row }] as const]
    }),
  )
  if (byDevice.size === 0) return new Map()
  const rows = [...byDevice.values()]
    .map(({ row }) => row)
    .sort((a, b) => a.domain_id - b.domain_id || Buffer.compare(a.device_id, b.device_id))
  const added = await ADD_DEVICES.run<{ id: number; domain_id: number; device_id: Uint8Array }>(client, rows)
  return new Map(
    added.rows.flatMap(({ id, domain_id, device_id }) => {
      const known = byDevice.get(deviceName(domain_id, device_id))
      return known ? [[known.one, id]] : []
    }),
  )
}

const deviceName = (domainId: number, deviceId: Uint8Array): string => `${domainId} ${hexOf(deviceId)}`

const encodedProfile = (profile: Parameters<typeof encodeProfile>[0]) => ({
  device_id: uuidBytesOrNil(profile.deviceId),
  last_at: profile.lastAtMs,
  ...encodeProfile(profile),
})

async function newIds(
  client: ClientBase,
  stored: readonly StoreIdentification[],
): Promise<{ ids: number[]; outboxIds: number[] }> {
  const events = stored.reduce((sum, { operation }) => sum + operation.outbox.length, 0)
  const { rows } = await client.query<{ ids: number[]; outbox_ids: number[] | null }>({
    name: 'new ids',
    text: `select
      (select array_agg(nextval('identifications_id_seq')) from generate_series(1, $1)) as ids,
      (select array_agg(nextval('outbox_id_seq')) from generate_series(1, $2)) as outbox_ids`,
    values: [stored.length, events],
  })
  return { ids: rows[0]?.ids ?? [], outboxIds: rows[0]?.outbox_ids ?? [] }
}

async function addSnapshots(
  client: ClientBase,
  stored: readonly StoreIdentification[],
  ids: readonly number[],
): Promise<void> {
  const snapshots = stored.flatMap(({ operation, snapshot }, index) =>
    snapshot === undefined
      ? []
      : [{ domain_id: operation.row.domain_id, identification_id: ids[index] ?? 0, body: snapshot }],
  )
  await runIfAny(ADD_SNAPSHOTS, client, snapshots)
}

async function changeDevices(client: ClientBase, stored: readonly StoreIdentification[]): Promise<void> {
  const changed: (DeviceRow & { id: number })[] = []
  const aliases: AliasRow[] = []
  for (const { operation } of stored) {
    const { device } = operation
    if (!device) continue
    const own = encodedProfile(device.profile)
    if (device.number !== undefined) changed.push({ domain_id: device.domainId, id: device.number, ...own })
    if (!device.merged) continue
    const merged = encodedProfile(device.merged.profile)
    changed.push({ domain_id: device.domainId, id: device.merged.number, ...merged })
    aliases.push({
      domain_id: device.domainId,
      device_id: merged.device_id,
      merged_into: own.device_id,
      created_at: own.last_at,
    })
  }
  await runIfAny(
    CHANGE_DEVICES,
    client,
    changed.sort((a, b) => a.id - b.id),
  )
  await runIfAny(ADD_ALIASES, client, aliases)
}

async function addKeys(
  client: ClientBase,
  stored: readonly StoreIdentification[],
  added: ReadonlyMap<StoreIdentification, number>,
): Promise<void> {
  const keys = stored.flatMap((one) => {
    const { device } = one.operation
    const number = device?.number ?? added.get(one)
    if (!device || number === undefined) return []
    return device.keys.map(({ key, kind, listed }) => ({
      domain_id: device.domainId,
      family: device.family,
      device: number,
      key,
      kind: kind ?? null,
      listed,
    }))
  })
  await runIfAny(ADD_KEYS, client, keys)
}

/** One unit per stored identification. To be done last, as all nodes wait for each other at a domain's row. */
export async function spendVolume(client: ClientBase, stored: readonly StoreIdentification[]): Promise<void> {
  const used = new Map<number, number>()
  for (const { operation } of stored)
    used.set(operation.row.domain_id, (used.get(operation.row.domain_id) ?? 0) + 1)
  const rows = [...used].map(([id, count]) => ({ id, count })).sort((a, b) => a.id - b.id)
  await runIfAny(SPEND, client, rows)
}

interface RequestRow {
  domain_id: number
  request_id: Uint8Array
  created_at: number
}
interface DeviceRow {
  domain_id: number
  device_id: UuidBytes
  last_at: number
  profile: string
  keys: Uint8Array
}
interface AliasRow {
  domain_id: number
  device_id: UuidBytes
  merged_into: UuidBytes
  created_at: number
}
interface KeyRow {
  domain_id: number
  family: number
  device: number
  key: number
  kind: number | null
  listed: boolean
}
interface SnapshotRow {
  domain_id: number
  identification_id: number
  body: Uint8Array
}

const REQUEST = { domain_id: 'bigint', request_id: 'bytea', created_at: 'bigint' } as const
const DEVICE = {
  domain_id: 'bigint',
  device_id: 'bytea',
  last_at: 'bigint',
  profile: 'text',
  keys: 'bytea',
} as const

const FIND_REQUESTS = overRows<RequestRow>(
  'find requests',
  REQUEST,
  (rows) => `select request_id from request_ids where request_id in (select given.request_id from ${rows})`,
)
const USE_REQUESTS = overRows<RequestRow>(
  'use requests',
  REQUEST,
  (rows) => `insert into request_ids (domain_id, request_id, created_at)
    select domain_id, request_id, created_at from ${rows} on conflict do nothing`,
)
const ADD_DEVICES = overRows<DeviceRow>(
  'add devices',
  DEVICE,
  (rows) => `insert into devices (domain_id, device_id, last_at, profile, keys)
    select domain_id, device_id, last_at, profile, keys from ${rows}
    on conflict (domain_id, device_id) do nothing returning id, domain_id, device_id`,
)
const CHANGE_DEVICES = overRows<DeviceRow & { id: number }>(
  'change devices',
  { ...DEVICE, id: 'bigint' },
  (rows) => `update devices
    set last_at = given.last_at, profile = given.profile, keys = given.keys
    from ${rows} where devices.id = given.id and devices.domain_id = given.domain_id`,
)
const ADD_ALIASES = overRows<AliasRow>(
  'add aliases',
  { domain_id: 'bigint', device_id: 'bytea', merged_into: 'bytea', created_at: 'bigint' },
  (rows) => `insert into device_aliases (domain_id, device_id, merged_into, created_at)
    select domain_id, device_id, merged_into, created_at from ${rows}
    on conflict (domain_id, device_id) do update
    set merged_into = excluded.merged_into, created_at = excluded.created_at`,
)
const SPEND = overRows<{ id: number; count: number }>(
  'spend',
  { id: 'bigint', count: 'bigint' },
  (rows) => `update domains set remaining = remaining - given.count from ${rows} where domains.id = given.id`,
)
const ADD_IDENTIFICATIONS = insertRows<NewIdentification & { id: number }>('identifications', {
  ...IDENTIFICATION,
  id: 'bigint',
})
const ADD_OUTBOX = insertRows<NewOutboxEntry & { id: number }>('outbox', { ...OUTBOX, id: 'bigint' })
const ADD_STICKY = insertRows<NewStickyVerdict>('sticky_verdicts', STICKY)
const ADD_SNAPSHOTS = insertRows<SnapshotRow>('snapshots', {
  domain_id: 'bigint',
  identification_id: 'bigint',
  body: 'bytea',
})
const ADD_KEYS = insertRows<KeyRow>('unlisted_keys', {
  domain_id: 'bigint',
  family: 'bigint',
  device: 'bigint',
  key: 'bigint',
  kind: 'bigint',
  listed: 'boolean',
})
