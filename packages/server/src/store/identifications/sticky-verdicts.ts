import { NIL_UUID } from '@inkling/contract'
import type { Kysely, Selectable } from 'kysely'
import { growingCache } from '../../lib/growing-cache.ts'
import { uuidBytesOrNil, uuidToText } from '../../lib/uuid.ts'
import type { Scored, ScoreEntry, StickyVerdict } from '../../visit/identification.ts'
import { domainStore } from '../domains/domains.ts'
import type { Schema } from '../schema.ts'
import type { NewStickyVerdict } from '../store.ts'
import type { StickyVerdictTable } from '../visit-tables.ts'

/** Signals whose verdict carries over to later visits of the device from the same address. */
const STICKY_SIGNALS: readonly string[] = ['antidetect_browser']

const stickyEntry = (entries: readonly ScoreEntry[]): ScoreEntry | undefined =>
  entries.find(({ name, value }) => STICKY_SIGNALS.includes(name) && value > 0)

/** What a version of a visit changes about the verdicts that carry over. */
export interface StickyChange {
  sticky: NewStickyVerdict | undefined
  withdrawsSticky: boolean
}

/** Devices change hands and software is removed, so a verdict expires. */
const LIFETIME_MS = 30 * 86_400_000
/** Strong verdicts are rare. Beyond this number the least recently used one is dropped. */
const CACHE_MAX = 100_000
const PAGE_ROWS = 10_000
/** With several nodes a row may become visible after one with a higher ID, so this many IDs are read again. */
const OVERLAP = 1_000

type DeviceVisit = Pick<Scored, 'domain' | 'identity' | 'address' | 'atMs'>

export interface StickyVerdicts {
  /** The verdict on an earlier visit of this device from this address. */
  find(visit: DeviceVisit): StickyVerdict | undefined
  /**
   * What to store with an identification. Nothing if its verdict is known already, and where only its look ties the visit
   * to the device: who imitates somebody must not have them accused.
   * @param earlier entries of the version before
   */
  changeOf(scored: Scored, earlier?: readonly ScoreEntry[]): StickyChange
  /** Called after the change is stored. */
  remember(scored: Scored, change: StickyChange): void
  /** Reads the rows that any process has stored since. */
  refresh(): Promise<void>
}

interface CachedVerdict extends StickyVerdict {
  atMs: number
}

/** Strong verdicts by device and address. They are kept in memory, because every identification looks them up. */
export async function openStickyVerdicts(db: Kysely<Schema>, nowMs: number): Promise<StickyVerdicts> {
  const cache = growingCache<string, CachedVerdict>(CACHE_MAX)
  let lastId = 0

  let version: number | undefined

  async function* since(id: number): AsyncGenerator<Selectable<StickyVerdictTable>[]> {
    for (let last = id, more = true; more; ) {
      const rows = await db
        .selectFrom('sticky_verdicts')
        .selectAll()
        .where('id', '>', last)
        .where('created_at', '>', nowMs - LIFETIME_MS)
        .orderBy('id')
        .limit(PAGE_ROWS)
        .execute()
      yield rows
      more = rows.length === PAGE_ROWS
      last = rows.at(-1)?.id ?? last
    }
  }

  function add(row: NewStickyVerdict): void {
    const key = keyOf(row.domain_id, uuidToText(row.device_id), row.address)
    if ((cache.peek(key)?.atMs ?? 0) >= row.created_at) return
    cache.set(key, {
      name: row.name,
      description: row.description,
      requestId: uuidToText(row.request_id),
      atMs: row.created_at,
    })
  }

  async function refresh(): Promise<void> {
    const current = await domainStore(db).directoryVersion()
    // The version changes after an erasure, which removes verdicts: read all of them again.
    const isUnchanged = current === version
    const pages = await Array.fromAsync(since(isUnchanged ? lastId - OVERLAP : 0))
    if (!isUnchanged) cache.clear()
    version = current
    for (const row of pages.flat()) {
      lastId = row.id
      add(row)
    }
  }
  await refresh()

  function find({ domain, identity, address, atMs }: DeviceVisit): StickyVerdict | undefined {
    if (identity.deviceId === NIL_UUID) return undefined
    const found = cache.get(keyOf(domain.id, identity.deviceId, address))
    if (!found || found.atMs < atMs - LIFETIME_MS) return undefined
    return { name: found.name, description: found.description, requestId: found.requestId }
  }

  function rowOf(scored: Scored, { name, description }: ScoreEntry): NewStickyVerdict | undefined {
    const { domain, identity, address, requestId, atMs } = scored
    if (identity.deviceId === NIL_UUID || find(scored)) return undefined
    if (identity.decision?.outcome === 'linked') return undefined
    return {
      domain_id: domain.id,
      device_id: uuidBytesOrNil(identity.deviceId),
      address,
      name,
      description,
      request_id: uuidBytesOrNil(requestId),
      created_at: atMs,
    }
  }

  function forget({ domain, identity, address, requestId }: Scored): void {
    const key = keyOf(domain.id, identity.deviceId, address)
    if (cache.peek(key)?.requestId === requestId) cache.delete(key)
  }

  return {
    find,
    refresh,
    changeOf(scored, earlier = []) {
      const entry = stickyEntry(scored.verdict.entries)
      return {
        sticky: entry && rowOf(scored, entry),
        withdrawsSticky: !entry && stickyEntry(earlier) !== undefined,
      }
    },
    remember(scored, { sticky, withdrawsSticky }) {
      if (sticky) add(sticky)
      if (withdrawsSticky) forget(scored)
    },
  }
}

const keyOf = (domainId: number, deviceId: string, address: string): string =>
  `${domainId} ${deviceId} ${address}`
