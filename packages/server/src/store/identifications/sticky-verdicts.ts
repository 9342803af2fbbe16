import { NIL_UUID } from '@inkling/contract'
import type { Kysely, Selectable } from 'kysely'
import type { LRUCache } from 'lru-cache'
import { limitKeys } from '../../lib/address-limit.ts'
import { growingCache } from '../../lib/growing-cache.ts'
import { uuidBytesOrNil, uuidToText } from '../../lib/uuid.ts'
import type { Scored, ScoreEntry, StickyVerdict } from '../../visit/identification.ts'
import { cookieKey } from '../../visit/known-device.ts'
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
/** Few, because visits wait while a page is taken over. */
const PAGE_ROWS = 1_000
/** With several nodes a row may become visible after one with a higher ID, so this many IDs are read again. */
const OVERLAP = 1_000

type DeviceVisit = Pick<Scored, 'domain' | 'identity' | 'cookieId' | 'address' | 'atMs'>

export interface StickyVerdicts {
  /** The verdict on an earlier visit of this device, or of this cookie on it, from this address. */
  find(visit: DeviceVisit): StickyVerdict | undefined
  /**
   * What to store with an identification; nothing if its verdict is known already. Where only a look ties the visit to
   * the device, the verdict is its cookie's alone: who imitates somebody must not have them accused.
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

/** Verdicts in memory, with how far they were read. */
interface Loaded {
  cache: LRUCache<string, CachedVerdict>
  lastId: number
  /** As it was before the rows were read; undefined before the first read. */
  removedVerdicts: number | undefined
}

const nothingLoaded = (cacheMax: number, removedVerdicts?: number): Loaded => ({
  cache: growingCache(cacheMax),
  lastId: 0,
  removedVerdicts,
})

/** Strong verdicts by device, or cookie on a device, and address. They are kept in memory, because every identification looks them up. */
export async function openStickyVerdicts(
  db: Kysely<Schema>,
  now: () => number,
  cacheMax = CACHE_MAX,
): Promise<StickyVerdicts> {
  let loaded = nothingLoaded(cacheMax)
  /** What is filled while `loaded` answers; undefined at other times. */
  let next: Loaded | undefined

  /** Each page is awaited, so visits are answered between two of them. */
  async function fill(into: Loaded, afterId: number): Promise<void> {
    for await (const rows of verdictPages(db, { afterId, sinceMs: now() - LIFETIME_MS }))
      for (const row of rows) {
        into.lastId = row.id
        add(into.cache, row)
      }
  }

  async function reload(removedVerdicts: number): Promise<void> {
    const fresh = nothingLoaded(cacheMax, removedVerdicts)
    next = fresh
    try {
      await fill(fresh, await beforeNewest(db, cacheMax, now() - LIFETIME_MS))
      loaded = fresh
    } finally {
      next = undefined
    }
  }

  async function refresh(): Promise<void> {
    // Before the rows: a removal during their read then causes another one.
    const removedVerdicts = await domainStore(db).removedVerdicts()
    if (removedVerdicts === loaded.removedVerdicts) await fill(loaded, loaded.lastId - OVERLAP)
    else await reload(removedVerdicts)
  }
  await refresh()

  function find(visit: DeviceVisit): StickyVerdict | undefined {
    if (visit.identity.deviceId === NIL_UUID) return undefined
    const found = keysOf(visit)
      .map((key) => loaded.cache.get(key))
      .find((verdict) => verdict && verdict.atMs >= visit.atMs - LIFETIME_MS)
    return found && { name: found.name, description: found.description, requestId: found.requestId }
  }

  function rowOf(scored: Scored, { name, description }: ScoreEntry): NewStickyVerdict | undefined {
    const { domain, identity, address, requestId, atMs } = scored
    if (identity.deviceId === NIL_UUID || find(scored)) return undefined
    const cookie_key = isByLook(scored) ? cookieOf(scored) : null
    if (cookie_key === undefined) return undefined
    return {
      domain_id: domain.id,
      device_id: uuidBytesOrNil(identity.deviceId),
      address,
      cookie_key,
      name,
      description,
      request_id: uuidBytesOrNil(requestId),
      created_at: atMs,
    }
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
      for (const { cache } of next ? [loaded, next] : [loaded]) {
        if (sticky) add(cache, sticky)
        if (withdrawsSticky) forget(cache, scored)
      }
    },
  }
}

/** Verdicts after an ID, oldest first. */
async function* verdictPages(
  db: Kysely<Schema>,
  { afterId, sinceMs }: { afterId: number; sinceMs: number },
): AsyncGenerator<Selectable<StickyVerdictTable>[]> {
  for (let last = afterId, more = true; more; ) {
    const rows = await db
      .selectFrom('sticky_verdicts')
      .selectAll()
      .where('id', '>', last)
      .where('created_at', '>', sinceMs)
      .orderBy('id')
      .limit(PAGE_ROWS)
      .execute()
    yield rows
    more = rows.length === PAGE_ROWS
    last = rows.at(-1)?.id ?? last
  }
}

/** The ID after which there are so many verdicts, the newest; 0 where there are no more of them. */
async function beforeNewest(db: Kysely<Schema>, count: number, sinceMs: number): Promise<number> {
  const row = await db
    .selectFrom('sticky_verdicts')
    .select('id')
    .where('created_at', '>', sinceMs)
    .orderBy('id', 'desc')
    .offset(count)
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? 0
}

function add(cache: Loaded['cache'], row: NewStickyVerdict): void {
  const key = keyOf(row.domain_id, uuidToText(row.device_id), row.address, row.cookie_key)
  if ((cache.peek(key)?.atMs ?? 0) >= row.created_at) return
  cache.set(key, {
    name: row.name,
    description: row.description,
    requestId: uuidToText(row.request_id),
    atMs: row.created_at,
  })
}

function forget(cache: Loaded['cache'], scored: Scored): void {
  for (const key of keysOf(scored)) if (cache.peek(key)?.requestId === scored.requestId) cache.delete(key)
}

/** Visits of earlier releases have only the outcome. */
const isByLook = ({ identity: { decision } }: DeviceVisit): boolean =>
  decision?.isByLook === true || decision?.outcome === 'linked'

const cookieOf = ({ cookieId }: DeviceVisit): number | undefined =>
  cookieId === NIL_UUID ? undefined : cookieKey(cookieId)

/** Under which verdicts are found that apply to a visit. */
function keysOf(visit: DeviceVisit): string[] {
  const { domain, identity, address } = visit
  const cookie = cookieOf(visit)
  return [null, ...(cookie === undefined ? [] : [cookie])].map((key) =>
    keyOf(domain.id, identity.deviceId, address, key),
  )
}

/** Of IPv6 by the /64, in which whoever was found out may take another address for each visit. */
const keyOf = (domainId: number, deviceId: string, address: string, cookie: number | null): string =>
  `${domainId} ${deviceId} ${limitKeys(address)[0]} ${cookie ?? ''}`
