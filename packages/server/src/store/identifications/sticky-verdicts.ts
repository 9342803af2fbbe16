import { NIL_UUID } from '@inkling/contract'
import type { Kysely, Selectable } from 'kysely'
import { LRUCache } from 'lru-cache'
import { uuidBytesOrNil, uuidToText } from '../../lib/uuid.ts'
import type { Scored, ScoreEntry, StickyVerdict } from '../../visit/identification.ts'
import { domainStore } from '../domains/domains.ts'
import type { Schema, StickyVerdictTable } from '../schema.ts'
import type { NewStickyVerdict } from '../store.ts'

/** Devices change hands and software is removed: what was seen longer ago says nothing of today. */
const LASTING_MS = 30 * 86_400_000
/** Strong verdicts are rare; above this the least recently met is forgotten. */
const KEPT_MAX = 100_000
const PAGE = 10_000
/** Where several processes write, a row may appear after one with a greater number: so many are read again. */
const READ_AGAIN = 1_000

type Place = Pick<Scored, 'domain' | 'identity' | 'address' | 'atMs'>

export interface StickyVerdicts {
  /** What an earlier visit of this device at this address was found to be. */
  find(place: Place): StickyVerdict | undefined
  /** The row to store with the identification; undefined when one is remembered already. */
  rowOf(scored: Scored, entry: ScoreEntry): NewStickyVerdict | undefined
  /** Once it is stored. */
  remember(row: NewStickyVerdict): void
  /** Takes over what was stored since, by this process or another. */
  refresh(): Promise<void>
}

interface Kept extends StickyVerdict {
  atMs: number
}

/** Strong verdicts by device and address, all in memory: every identification asks. */
export async function openStickyVerdicts(db: Kysely<Schema>, nowMs: number): Promise<StickyVerdicts> {
  const kept = new LRUCache<string, Kept>({ max: KEPT_MAX })
  let lastId = 0

  let version: number | undefined

  async function* since(id: number): AsyncGenerator<Selectable<StickyVerdictTable>[]> {
    for (let last = id, more = true; more; ) {
      const rows = await db
        .selectFrom('sticky_verdicts')
        .selectAll()
        .where('id', '>', last)
        .where('created_at', '>', nowMs - LASTING_MS)
        .orderBy('id')
        .limit(PAGE)
        .execute()
      yield rows
      more = rows.length === PAGE
      last = rows.at(-1)?.id ?? last
    }
  }

  function keep(row: NewStickyVerdict): void {
    const key = keyOf(row.domain_id, uuidToText(row.device_id), row.address)
    if ((kept.peek(key)?.atMs ?? 0) >= row.created_at) return
    kept.set(key, {
      name: row.name,
      description: row.description,
      requestId: uuidToText(row.request_id),
      atMs: row.created_at,
    })
  }

  async function refresh(): Promise<void> {
    const current = await domainStore(db).directoryVersion()
    // An erasure takes verdicts away, so that all are read again.
    const isSame = current === version
    const pages = await Array.fromAsync(since(isSame ? lastId - READ_AGAIN : 0))
    if (!isSame) kept.clear()
    version = current
    for (const row of pages.flat()) {
      lastId = row.id
      keep(row)
    }
  }
  await refresh()

  function find({ domain, identity, address, atMs }: Place): StickyVerdict | undefined {
    if (identity.deviceId === NIL_UUID) return undefined
    const found = kept.get(keyOf(domain.id, identity.deviceId, address))
    if (!found || found.atMs < atMs - LASTING_MS) return undefined
    return { name: found.name, description: found.description, requestId: found.requestId }
  }

  return {
    find,
    refresh,
    remember: keep,
    rowOf(scored, { name, description }) {
      const { domain, identity, address, requestId, atMs } = scored
      if (identity.deviceId === NIL_UUID || find(scored)) return undefined
      return {
        domain_id: domain.id,
        device_id: uuidBytesOrNil(identity.deviceId),
        address,
        name,
        description,
        request_id: uuidBytesOrNil(requestId),
        created_at: atMs,
      }
    },
  }
}

const keyOf = (domainId: number, deviceId: string, address: string): string =>
  `${domainId} ${deviceId} ${address}`
