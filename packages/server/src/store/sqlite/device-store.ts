import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import { LRUCache } from 'lru-cache'
import type { DeviceStore, KeyMatch, KeySpread } from '../../visit/known-device.ts'
import { decodeProfile } from '../devices/devices.ts'
import type { UnlistedKeys } from './unlisted-keys.ts'

/** Combinations of system and browser whose spreads are cached. */
const SPREADS_MAX = 1_000
/** Of the pages that look-ups read most; the rest is in the system's cache of files. */
const CACHE_KIB = 32_768
/** Readers wait for nobody, except for a moment when another process recovers the log. Meanwhile all visits wait. */
const BUSY_TIMEOUT_MS = 100

export interface SqliteDevices extends DeviceStore {
  close(): void
}

/**
 * The known devices in the embedded database, read on the thread that serves visits. A look-up by its index takes some
 * ten microseconds, and sending it to another thread and back ten times as much.
 */
export function sqliteDevices(file: string, unlisted: UnlistedKeys): SqliteDevices {
  const spreads = new LRUCache<string, { listings: number; spread: (KeySpread | undefined)[] }>({
    max: SPREADS_MAX,
  })
  let db: DatabaseSync | undefined
  const statements = new Map<string, StatementSync>()

  /** Opened by the first visit, because commands and tests look nothing up. */
  function open(): DatabaseSync {
    const opened = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
    opened.exec(`pragma cache_size = -${CACHE_KIB}`)
    return opened
  }

  function rowsOf(sql: string, ...values: number[]): SQLOutputValue[][] {
    let statement = statements.get(sql)
    if (!statement) {
      db ??= open()
      statement = db.prepare(sql)
      // An object for each row takes longer to make than the row to read.
      statement.setReturnArrays(true)
      statements.set(sql, statement)
    }
    return statement.all(...values) as unknown as SQLOutputValue[][]
  }

  return {
    async lookUp(domainId, keys) {
      if (keys.length === 0) return []
      return unlisted.complete(domainId, keys, matchesOf(rowsOf(selectKeys(keys.length), domainId, ...keys)))
    },

    async devices(domainId, numbers) {
      if (numbers.length === 0) return []
      return rowsOf(selectDevices(numbers.length), domainId, ...numbers).map(([id, profile, keys]) => ({
        number: Number(id),
        profile: decodeProfile(String(profile), keys as Uint8Array),
      }))
    },

    async spread(domainId, family) {
      const name = `${domainId} ${family}`
      const listings = unlisted.listings()
      const cached = spreads.get(name)
      // Spreads change only when keys are listed.
      if (cached?.listings === listings) return cached.spread
      const spread: (KeySpread | undefined)[] = []
      for (const [kind, once, twice] of rowsOf(SELECT_SPREAD, domainId, family))
        spread[Number(kind)] = { once: Number(once), twice: Number(twice) }
      spreads.set(name, { listings, spread })
      return spread
    },

    close() {
      statements.clear()
      db?.close()
      db = undefined
    },
  }
}

const SELECT_SPREAD = 'select kind, once, twice from key_spreads where domain_id = ? and family = ?'

const questionMarks = (count: number): string => Array(count).fill('?').join(', ')

const selectKeys = (count: number): string =>
  `select key, ordinal, device from device_keys
   where domain_id = ? and key in (${questionMarks(count)}) order by key, ordinal desc`

/** The plus keeps SQLite from reading all devices of the domain; see `domainBesideIds`. */
const selectDevices = (count: number): string =>
  `select id, profile, keys from devices where +domain_id = ? and id in (${questionMarks(count)})`

/** @param rows key, ordinal and device, with the newest device of each key first */
function matchesOf(rows: readonly SQLOutputValue[][]): KeyMatch[] {
  const matches: { key: number; devices: number; listed: number[] }[] = []
  for (const [key, ordinal, device] of rows) {
    const last = matches.at(-1)
    if (last && last.key === key) last.listed.push(Number(device))
    else matches.push({ key: Number(key), devices: Number(ordinal), listed: [Number(device)] })
  }
  return matches
}
