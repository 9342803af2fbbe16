import type { Kysely } from 'kysely'
import { type DeviceNumber, type KeyMatch, LISTED_MAX, type NewKey } from '../../visit/known-device.ts'
import type { DeviceTables } from '../schema.ts'
import type { Listing, Unlisted, WriteOperation, WriteOutcome } from '../store.ts'
import { decodeNewKeys } from './messages.ts'

/** A device under a key that is not listed yet. */
interface Entry {
  /** `unlisted_keys.id` */
  row: number
  device: DeviceNumber
}

/** Keys that are on disk but not in `device_keys` yet, so that look-ups find them, too. */
export interface UnlistedKeys {
  add(domainId: number, unlisted: Unlisted, keys: readonly NewKey[]): void
  /** Leaves out what is listed now. */
  follow(listing: Listing): void
  /** What `device_keys` told of these keys, and what it does not know yet. */
  complete(domainId: number, keys: readonly number[], listed: readonly KeyMatch[]): KeyMatch[]
  /** How often something was listed. */
  listings(): number
  /** Rows that are not listed. */
  size(): number
}

export function createUnlistedKeys(): UnlistedKeys {
  /** By domain and key. */
  const entries = new Map<number, Map<number, Entry[]>>()
  /** In the order of their numbers. */
  let rows: { row: number; domainId: number; keys: number[] }[] = []
  let run: Listing | undefined
  let listings = 0

  /** Where those begin that the database does not know yet. */
  function firstUnlisted(domainId: number, key: number, all: readonly Entry[]): number {
    if (!run?.upTo || (domainId - run.upTo.domainId || key - run.upTo.key) > 0) return 0
    return firstAfter(all, run.through)
  }

  function remove(domainId: number, key: number, through: number): void {
    const ofDomain = entries.get(domainId)
    const all = ofDomain?.get(key)
    // It was done already where the key stands in several rows.
    if (!ofDomain || !all?.[0] || all[0].row > through) return
    const left = all.slice(firstAfter(all, through))
    if (left.length > 0) ofDomain.set(key, left)
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
        return joined(key, match, all, from)
      })
    },

    listings: () => listings,
    size: () => rows.length,
  }
}

/** Of entries in the order of their rows the first one beyond that row. */
function firstAfter(all: readonly Entry[], row: number): number {
  let [from, to] = [0, all.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((all[middle]?.row ?? 0) <= row) from = middle + 1
    else to = middle
  }
  return from
}

/** What is listed, and the entries from that one on. Keys that most devices have stand here by the thousand. */
function joined(key: number, older: KeyMatch | undefined, all: readonly Entry[], from: number): KeyMatch {
  const { devices = 0, listed = [] } = older ?? {}
  const newest = all.slice(Math.max(from, all.length - LISTED_MAX)).map(({ device }) => device)
  const different = [...new Set([...newest.reverse(), ...listed])]
  const added = all.length - from
  // Where all are listed they can be counted, even while one of them is being listed.
  const isCountable = listed.length === devices && added <= LISTED_MAX
  const count = isCountable ? different.length : devices + added
  return { key, devices: count, listed: count > LISTED_MAX ? different.slice(0, 1) : different }
}

/** What an earlier process left to be listed. */
export async function readUnlistedKeys(db: Kysely<DeviceTables>): Promise<UnlistedKeys> {
  const unlisted = createUnlistedKeys()
  const rows = await db.selectFrom('unlisted_keys').selectAll().orderBy('id').execute()
  for (const { id, domain_id, device, keys } of rows)
    unlisted.add(domain_id, { id, device }, decodeNewKeys(keys))
  const run = await db.selectFrom('listing_run').selectAll().executeTakeFirst()
  if (run) unlisted.follow({ through: run.through, upTo: { domainId: run.domain_id, key: run.key } })
  return unlisted
}

/** Devices whose keys are listed together under load. */
const ENOUGH = 1_000
/** Without load they are listed after this time. */
const PATIENCE_MS = 1_000

/** Has keys listed in the background. Whatever it leaves lies on disk, for the next process that opens the database. */
export function listInBackground(
  unlisted: UnlistedKeys,
  commit: (operation: WriteOperation) => Promise<WriteOutcome>,
) {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let stopped = false

  async function run(): Promise<void> {
    let going = true
    while (going && !stopped) {
      const outcome = await commit({ type: 'listing' })
      if (outcome.type !== 'listed') return
      unlisted.follow(outcome.listing)
      going = outcome.listing.upTo !== undefined || unlisted.size() >= ENOUGH
    }
  }

  function start(): void {
    clearTimeout(timer)
    timer = undefined
    if (running || stopped) return
    // What could not be listed stays where it is, and is tried again with the next device.
    running = run()
      .catch(() => {})
      .finally(() => {
        running = undefined
        if (unlisted.size() > 0) later()
      })
  }

  function later(): void {
    if (stopped) return
    timer ??= setTimeout(start, PATIENCE_MS).unref()
  }

  return {
    /** After keys were added. */
    noticed(): void {
      if (unlisted.size() >= ENOUGH) start()
      else later()
    },
    async stop(): Promise<void> {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
