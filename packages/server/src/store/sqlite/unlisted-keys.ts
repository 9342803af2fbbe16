import type { Kysely } from 'kysely'
import { type DeviceNumber, type KeyMatch, LISTED_MAX, type NewKey } from '../../visit/known-device.ts'
import { combineMatch } from '../devices/devices.ts'
import type { Schema } from '../schema.ts'
import type { Listing, Unlisted, WriteOperation, WriteOutcome } from '../store.ts'
import { decodeNewKeys } from './messages.ts'

interface Entry {
  /** `unlisted_keys.id` */
  row: number
  device: DeviceNumber
}

/**
 * The content of `unlisted_keys` in memory, by key: keys that are committed and not yet in `device_keys`, where
 * look-ups would miss them.
 */
export interface UnlistedKeys {
  add(domainId: number, unlisted: Unlisted, keys: readonly NewKey[]): void
  /** Removes the keys that a run has listed. */
  follow(listing: Listing): void
  /** Adds the unlisted devices to what `device_keys` has for these keys. */
  complete(domainId: number, keys: readonly number[], listed: readonly KeyMatch[]): KeyMatch[]
  /** Number of calls to `follow`. */
  listings(): number
  /** Number of rows with unlisted keys. */
  size(): number
}

export function createUnlistedKeys(): UnlistedKeys {
  /** By domain and key, in the order of their rows. */
  const entries = new Map<number, Map<number, Entry[]>>()
  /** In the order of their IDs. */
  let rows: { row: number; domainId: number; keys: number[] }[] = []
  let run: Listing | undefined
  let listings = 0

  /** Index of the first entry that is not in `device_keys`. */
  function firstUnlisted(domainId: number, key: number, all: readonly Entry[]): number {
    if (!run?.upTo || (domainId - run.upTo.domainId || key - run.upTo.key) > 0) return 0
    return firstAfter(all, run.through)
  }

  function remove(domainId: number, key: number, through: number): void {
    const ofDomain = entries.get(domainId)
    const all = ofDomain?.get(key)
    // Already removed if the key is in several rows.
    if (!ofDomain || !all?.[0] || all[0].row > through) return
    const remaining = all.slice(firstAfter(all, through))
    if (remaining.length > 0) ofDomain.set(key, remaining)
    else ofDomain.delete(key)
    if (ofDomain.size === 0) entries.delete(domainId)
  }

  return {
    add(domainId, { id, device }, keys) {
      const ofDomain = entries.get(domainId) ?? new Map<number, Entry[]>()
      entries.set(domainId, ofDomain)
      for (const { key } of keys) {
        const known = ofDomain.get(key)
        if (known) known.push({ row: id, device })
        else ofDomain.set(key, [{ row: id, device }])
      }
      rows.push({ row: id, domainId, keys: keys.map(({ key }) => key) })
    },

    follow(listing) {
      listings += 1
      run = listing.upTo ? listing : undefined
      if (run) return
      const { through } = listing
      for (const { row, domainId, keys } of rows)
        if (row <= through) for (const key of keys) remove(domainId, key, through)
      rows = rows.filter(({ row }) => row > through)
    },

    complete(domainId, keys, listed) {
      if (rows.length === 0) return [...listed]
      const known = new Map(listed.map((match) => [match.key, match]))
      const ofDomain = entries.get(domainId)
      return keys.flatMap((key) => {
        const match = known.get(key)
        const all = ofDomain?.get(key)
        const from = all ? firstUnlisted(domainId, key, all) : 0
        if (!all || from === all.length) return match ?? []
        // Common keys have thousands of entries; only the newest few are read.
        const newest = all.slice(Math.max(from, all.length - LISTED_MAX)).map(({ device }) => device)
        return combineMatch(key, match ?? { devices: 0, listed: [] }, {
          rows: all.length - from,
          newest: newest.reverse(),
        })
      })
    },

    listings: () => listings,
    size: () => rows.length,
  }
}

/** Binary search: index of the first entry with a greater row. */
function firstAfter(all: readonly Entry[], row: number): number {
  let [from, to] = [0, all.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((all[middle]?.row ?? 0) <= row) from = middle + 1
    else to = middle
  }
  return from
}

/** Reads what an earlier process left in `unlisted_keys`. */
export async function readUnlistedKeys(db: Kysely<Schema>): Promise<UnlistedKeys> {
  const unlisted = createUnlistedKeys()
  const rows = await db.selectFrom('unlisted_keys').selectAll().orderBy('id').execute()
  for (const { id, domain_id, device, keys } of rows)
    unlisted.add(domain_id, { id, device }, decodeNewKeys(keys))
  const run = await db.selectFrom('listing_run').selectAll().executeTakeFirst()
  if (run) unlisted.follow({ through: run.through, upTo: { domainId: run.domain_id, key: run.key } })
  return unlisted
}

/** With this many rows a run starts at once. */
const RUN_ROWS = 1_000
/** With fewer rows it starts after this time. */
const RUN_DELAY_MS = 1_000

/** Lists keys in the background. Rows that remain at the end are listed by the next process. */
export function startSqliteListing(
  unlisted: UnlistedKeys,
  commit: (operation: WriteOperation) => Promise<WriteOutcome>,
) {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let stopped = false

  async function list(): Promise<void> {
    let hasMore = true
    while (hasMore && !stopped) {
      const outcome = await commit({ type: 'listing' })
      if (outcome.type !== 'listed') return
      unlisted.follow(outcome.listing)
      hasMore = outcome.listing.upTo !== undefined || unlisted.size() >= RUN_ROWS
    }
  }

  function start(): void {
    clearTimeout(timer)
    timer = undefined
    if (running || stopped) return
    // After a failure the rows stay where they are and are listed in the next run.
    running = list()
      .catch(() => {})
      .finally(() => {
        running = undefined
        if (unlisted.size() > 0) startLater()
      })
  }

  function startLater(): void {
    if (stopped) return
    timer ??= setTimeout(start, RUN_DELAY_MS).unref()
  }

  return {
    keysAdded(): void {
      if (unlisted.size() >= RUN_ROWS) start()
      else startLater()
    },
    async stop(): Promise<void> {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
