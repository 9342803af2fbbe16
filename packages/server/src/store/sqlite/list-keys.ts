import type { DatabaseSync } from 'node:sqlite'
import { LISTED_MAX, type NewKey } from '../../visit/known-device.ts'
import { type ListedKey, spreadChanges } from '../devices/devices.ts'
import type { Listing } from '../store.ts'
import { decodeNewKeys } from './messages.ts'

/** Rows in one run. The more rows, the more of their keys share a page of `device_keys`. */
const RUN_ROWS = 1_000
/** Keys in one slice; they occupy the writer for about ten milliseconds. */
const SLICE_KEYS = 2_000

interface UnlistedKey extends NewKey {
  /** `unlisted_keys.id` */
  row: number
  domainId: number
  family: number
  device: number
}

/** Rows of `unlisted_keys` that are listed slice by slice in the order of their keys. */
interface Run {
  through: number
  /** Fingerprint of the rows: after an erasure removed some of them, the run is read again. */
  rows: string
  keys: UnlistedKey[]
  next: number
}

export interface KeyLister {
  /** Lists one slice, inside a transaction. */
  list(): Listing
  /** Discards the state in memory after a rollback. */
  reset(): void
}

/**
 * Moves keys from `unlisted_keys` to `device_keys` in the order of the latter, so that each of its pages is written
 * once for many devices. Every slice stores its progress: after a crash the next process continues there.
 */
export function createKeyLister(db: DatabaseSync, sliceKeys: number = SLICE_KEYS): KeyLister {
  const progress = db.prepare('select through, domain_id, key from listing_run')
  const keepProgress = db.prepare(
    'insert or replace into listing_run (id, through, domain_id, key) values (1, ?, ?, ?)',
  )
  const endRun = db.prepare('delete from listing_run')
  const firstRows = db.prepare(
    'select max(id) as through from (select id from unlisted_keys order by id limit ?)',
  )
  const rowsOf = db.prepare('select id, domain_id, family, device, keys from unlisted_keys where id <= ?')
  const fingerprint = db.prepare(
    `select count(*) || ' ' || total(id) as rows from unlisted_keys where id <= ?`,
  )
  const newestRow = db.prepare("select seq from sqlite_sequence where name = 'unlisted_keys'")
  const removeRows = db.prepare('delete from unlisted_keys where id <= ?')
  const add = db.prepare(
    `insert into device_keys (domain_id, key, ordinal, device)
     values (?1, ?2, 1 + coalesce(
       (select max(ordinal) from device_keys where domain_id = ?1 and key = ?2), 0), ?3)
     returning ordinal`,
  )
  const removeOlder = db.prepare('delete from device_keys where domain_id = ? and key = ? and ordinal <= ?')
  const changeSpread = db.prepare(
    `insert into key_spreads (domain_id, family, kind, once, twice) values (?, ?, ?, ?, ?)
     on conflict do update set once = once + excluded.once, twice = twice + excluded.twice`,
  )
  let run: Run | undefined

  const rowsThrough = (through: number): string => String(fingerprint.get(through)?.rows)

  function openRun(): Run | undefined {
    const unfinished = progress.get()
    const through = unfinished?.through ?? firstRows.get(RUN_ROWS)?.through
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
    const isListed = ({ domainId, key }: UnlistedKey): boolean =>
      unfinished !== undefined &&
      (domainId - Number(unfinished.domain_id) || key - Number(unfinished.key)) <= 0
    const next = keys.findIndex((key) => !isListed(key))
    return { through, rows: rowsThrough(through), keys, next: next < 0 ? keys.length : next }
  }

  function listKey({ domainId, family, kind, key, listed, device }: UnlistedKey): ListedKey {
    const devices = Number(add.get(domainId, key, device)?.ordinal)
    if (devices > (listed ? LISTED_MAX : 1)) removeOlder.run(domainId, key, devices - 1)
    return { domainId, family, kind, devices }
  }

  /** End of the slice; it includes all devices of its last key. */
  function sliceEnd({ keys, next }: Run): number {
    let end = Math.min(next + sliceKeys, keys.length)
    while (end < keys.length && keys[end]?.key === keys[end - 1]?.key) end += 1
    return end
  }

  return {
    list() {
      if (run && run.rows !== rowsThrough(run.through)) run = undefined
      run ??= openRun()
      if (!run) return { through: Number(newestRow.get()?.seq ?? 0), upTo: undefined }
      const { through, keys } = run
      const end = sliceEnd(run)
      const listed = keys.slice(run.next, end).map(listKey)
      for (const { domain_id, family, kind, once, twice } of spreadChanges(listed))
        changeSpread.run(domain_id, family, kind, once, twice)
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
    reset() {
      run = undefined
    },
  }
}
