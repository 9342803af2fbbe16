import type { DatabaseSync } from 'node:sqlite'
import { LISTED_MAX, type NewKey } from '../../visit/known-device.ts'
import type { Listing } from '../store.ts'
import { decodeNewKeys } from './messages.ts'

/** Rows that a run lists together: the more, the more of their keys lie on the same pages. */
const RUN_ROWS = 1_000
/** So many keys hold the writer for about ten milliseconds. */
const SLICE_KEYS = 2_000

interface Unlisted extends NewKey {
  /** `unlisted_keys.id` */
  row: number
  domainId: number
  family: number
  device: number
}

/** Rows that are listed together, slice by slice, in the order of their keys. */
interface Run {
  through: number
  /** What it was read from: when an erasure took some of it, it is read again. */
  rows: string
  keys: Unlisted[]
  next: number
}

export interface ListKeys {
  /** Lists a slice, as part of a transaction. */
  list(): Listing
  /** After a transaction that was rolled back. */
  forget(): void
}

/**
 * Brings the keys of `unlisted_keys` to `device_keys` in the order of that table, so that a page of it is
 * written once for many devices. Each slice commits how far it came: after a crash the next one goes on there.
 */
export function createListKeys(db: DatabaseSync, sliceKeys: number = SLICE_KEYS): ListKeys {
  const progress = db.prepare('select through, domain_id, key from listing_run')
  const keepProgress = db.prepare(
    'insert or replace into listing_run (id, through, domain_id, key) values (1, ?, ?, ?)',
  )
  const endRun = db.prepare('delete from listing_run')
  const firstRows = db.prepare(
    'select max(id) as through from (select id from unlisted_keys order by id limit ?)',
  )
  const rowsOf = db.prepare('select id, domain_id, family, device, keys from unlisted_keys where id <= ?')
  const stateOf = db.prepare(`select count(*) || ' ' || total(id) as rows from unlisted_keys where id <= ?`)
  const newestRow = db.prepare("select seq from sqlite_sequence where name = 'unlisted_keys'")
  const removeRows = db.prepare('delete from unlisted_keys where id <= ?')
  const add = db.prepare(
    `insert into device_keys (domain_id, key, ordinal, device)
     values (?1, ?2, 1 + coalesce(
       (select max(ordinal) from device_keys where domain_id = ?1 and key = ?2), 0), ?3)
     returning ordinal`,
  )
  const cut = db.prepare('delete from device_keys where domain_id = ? and key = ? and ordinal <= ?')
  const spreads = createGrowSpreads(db)
  let run: Run | undefined

  const stateAt = (through: number): string => String(stateOf.get(through)?.rows)

  function open(): Run | undefined {
    const begun = progress.get()
    const through = begun?.through ?? firstRows.get(RUN_ROWS)?.through
    if (typeof through !== 'number') return undefined
    const keys = rowsOf.all(through).flatMap(({ id, domain_id, family, device, keys }) =>
      decodeNewKeys(keys as Uint8Array).map((key) => ({
        ...key,
        row: Number(id),
        domainId: Number(domain_id),
        family: Number(family),
        device: Number(device),
      })),
    )
    keys.sort((a, b) => a.domainId - b.domainId || a.key - b.key || a.row - b.row)
    const isListed = ({ domainId, key }: Unlisted): boolean =>
      begun !== undefined && (domainId - Number(begun.domain_id) || key - Number(begun.key)) <= 0
    const next = keys.findIndex((key) => !isListed(key))
    return { through, rows: stateAt(through), keys, next: next < 0 ? keys.length : next }
  }

  /** How many devices the key has with this one. */
  function listOne({ domainId, key, listed, device }: Unlisted): number {
    const ordinal = Number(add.get(domainId, key, device)?.ordinal)
    if (ordinal > (listed ? LISTED_MAX : 1)) cut.run(domainId, key, ordinal - 1)
    return ordinal
  }

  /** The end of the slice: all devices of one key are listed together. */
  function sliceEnd({ keys, next }: Run): number {
    let end = Math.min(next + sliceKeys, keys.length)
    while (end < keys.length && keys[end]?.key === keys[end - 1]?.key) end += 1
    return end
  }

  return {
    list() {
      if (run && run.rows !== stateAt(run.through)) run = undefined
      run ??= open()
      if (!run) return { through: Number(newestRow.get()?.seq ?? 0), upTo: undefined }
      const { through, keys } = run
      const end = sliceEnd(run)
      for (const unlisted of keys.slice(run.next, end)) spreads.count(unlisted, listOne(unlisted))
      spreads.write()
      run.next = end
      const upTo = keys[end - 1]
      if (upTo && end < keys.length) {
        keepProgress.run(through, upTo.domainId, upTo.key)
        return { through, upTo: { domainId: upTo.domainId, key: upTo.key } }
      }
      removeRows.run(through)
      endRun.run()
      run = undefined
      return { through, upTo: undefined }
    },
    forget() {
      run = undefined
      spreads.forget()
    },
  }
}

interface Counted {
  domainId: number
  family: number
  /** Undefined for a key that counts for no spread. */
  kind: number | undefined
}

/** Counts how many keys of a kind are one device's alone or shared by just two; written once for a slice. */
export function createGrowSpreads(db: DatabaseSync) {
  const spread = db.prepare(
    `insert into key_spreads (domain_id, family, kind, once, twice) values (?, ?, ?, ?, ?)
     on conflict do update set once = once + excluded.once, twice = twice + excluded.twice`,
  )
  const grown = new Map<string, { place: [number, number, number]; once: number; twice: number }>()

  return {
    /** @param devices that have the key now, the added one included */
    count({ domainId, family, kind }: Counted, devices: number): void {
      if (kind === undefined || devices > 3) return
      const name = `${domainId} ${family} ${kind}`
      const growth = grown.get(name) ?? { place: [domainId, family, kind], once: 0, twice: 0 }
      grown.set(name, growth)
      if (devices === 1) growth.once += 1
      if (devices === 2) growth.once -= 1
      if (devices === 2) growth.twice += 1
      if (devices === 3) growth.twice -= 1
    },
    write(): void {
      for (const { place, once, twice } of grown.values()) spread.run(...place, once, twice)
      grown.clear()
    },
    /** After a transaction that was rolled back. */
    forget: () => grown.clear(),
  }
}
