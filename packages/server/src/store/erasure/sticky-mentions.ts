import { type Kysely, sql } from 'kysely'
import { uuidBytesOrNil, uuidToText } from '../../lib/uuid.ts'
import type { Schema } from '../schema.ts'

/** Numbers of identifications by the request ID that they name. */
export type Mentions = ReadonlyMap<string, readonly number[]>

/** An identification that is about to be removed. */
export interface Removed {
  request_id: Uint8Array | null
}

export const requestIdsOf = (rows: readonly Removed[]): Uint8Array[] =>
  rows.flatMap(({ request_id }) => (request_id === null ? [] : [request_id]))

/** Finds the visits of a device that name an earlier one, because its sticky verdict carried over to them. */
export interface StickyMentions {
  /** Those that name one of these. */
  of(rows: readonly Removed[]): Promise<Mentions>
  /** Those that came since, for the transaction that removes the rows. */
  since(transaction: Kysely<Schema>, rows: readonly Removed[]): Promise<Mentions>
}

/** What a device had when its visits were read. */
interface ReadDevice {
  mentions: Mentions
  newestMs: number
}

const PAGE = 500
/** For so long a visit may come that is older than the newest one, or get a later version. Both take two minutes at most. */
const LATE_MS = 600_000

/**
 * For one erasure, in which it reads each device once: a device may have thousands of sticky verdicts.
 * @param erasedDevice its visits are not found, because all of them go
 */
export function stickyMentions(
  db: Kysely<Schema>,
  domainId: number,
  erasedDevice: string | undefined,
): StickyMentions {
  const devices = new Map<string, ReadDevice>()

  async function readDevice(deviceId: string): Promise<ReadDevice> {
    const known = devices.get(deviceId)
    if (known) return known
    const device = { domainId, deviceId }
    // Before the visits, so that those that come meanwhile count as late.
    const newestMs = await newestVisit(db, device)
    const read = { mentions: await mentionsIn(db, device, 0), newestMs }
    devices.set(deviceId, read)
    return read
  }

  async function stickyOf(reads: Kysely<Schema>, rows: readonly Removed[]): Promise<Named[]> {
    const named = await namedIn(reads, domainId, requestIdsOf(rows))
    return named.filter(({ deviceId }) => deviceId !== erasedDevice)
  }

  return {
    async of(rows) {
      const found = new Map<string, readonly number[]>()
      for (const { deviceId, requestId } of await stickyOf(db, rows))
        found.set(requestId, (await readDevice(deviceId)).mentions.get(requestId) ?? [])
      return found
    },

    async since(transaction, rows) {
      const found = new Map<string, readonly number[]>()
      const named = await stickyOf(transaction, rows)
      for (const [deviceId, ofDevice] of Map.groupBy(named, (one) => one.deviceId)) {
        const sinceMs = (devices.get(deviceId)?.newestMs ?? 0) - LATE_MS
        const late = await mentionsIn(transaction, { domainId, deviceId }, sinceMs)
        for (const { requestId } of ofDevice) found.set(requestId, late.get(requestId) ?? [])
      }
      return found
    },
  }
}

interface Named {
  deviceId: string
  requestId: string
}

/** Only visits that left a sticky verdict are named in others for it. */
async function namedIn(
  db: Kysely<Schema>,
  domainId: number,
  requestIds: readonly Uint8Array[],
): Promise<Named[]> {
  if (requestIds.length === 0) return []
  const rows = await db
    .selectFrom('sticky_verdicts')
    .select(['device_id', 'request_id'])
    .where('domain_id', '=', domainId)
    .where('request_id', 'in', requestIds)
    .execute()
  return rows.map(({ device_id, request_id }) => ({
    deviceId: uuidToText(device_id),
    requestId: uuidToText(request_id),
  }))
}

interface Device {
  domainId: number
  deviceId: string
}

const visitsOf = (db: Kysely<Schema>, { domainId, deviceId }: Device) =>
  db
    .selectFrom('identifications')
    .where('domain_id', '=', domainId)
    .where('device_id', '=', uuidBytesOrNil(deviceId))

async function newestVisit(db: Kysely<Schema>, device: Device): Promise<number> {
  const newest = await visitsOf(db, device)
    .select('created_at')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest?.created_at ?? 0
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** What the verdicts of a device's visits name that have one of an earlier visit. */
async function mentionsIn(db: Kysely<Schema>, device: Device, sinceMs: number): Promise<Mentions> {
  const mentions = new Map<string, number[]>()
  for await (const { id, verdict } of namingVisits(db, device, sinceMs))
    for (const requestId of new Set(verdict.match(UUID))) {
      const ids = mentions.get(requestId)
      if (ids) ids.push(id)
      else mentions.set(requestId, [id])
    }
  return mentions
}

/** In the order of the index on a device's visits. */
async function* namingVisits(db: Kysely<Schema>, device: Device, sinceMs: number) {
  for (let at = sinceMs, after = 0; ; ) {
    const rows = await visitsOf(db, device)
      .select(['id', 'created_at', 'verdict'])
      .where('created_at', '>=', at)
      .where(sql<boolean>`(created_at, id) > (${at}, ${after})`)
      .where('verdict', 'like', '%"sticky_verdict"%')
      .orderBy('created_at')
      .orderBy('id')
      .limit(PAGE)
      .execute()
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    at = last.created_at
    after = last.id
  }
}
