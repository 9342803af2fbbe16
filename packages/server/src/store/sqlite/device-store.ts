import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import { LRUCache } from 'lru-cache'
import type { DeviceStore, KeyMatch, KeySpread } from '../../visit/known-device.ts'
import { decodeProfile, GONE } from '../devices/devices.ts'
import type { UnlistedKeys } from './unlisted-keys.ts'

/** Combinations of system and browser whose spreads are cached. */
const SPREADS_MAX = 1_000
/** Of the pages that look-ups read most; the rest is in the system's cache of files. */
const CACHE_KIB = 32_768
/** Readers wait for nobody, except for a moment when another process recovers the log. Meanwhile all visits wait. */
const BUSY_TIMEOUT_MS = 100

export interface SqliteDevices extends DeviceStore {
  /** Called when something was written, which the next look-up must see. */
  written(): void
  close(): void
}

/**
 * The known devices in the embedded database, read on the thread that serves visits. A look-up by its index takes some
 * ten microseconds, and sending it to another thread and back ten times as much.
 *
 * Look-ups of one turn of the event loop share a read transaction, because SQLite forgets the pages it has read when a
 * transaction begins after a commit. It ends early where an answer of the writer arrives: who waited for a commit must
 * see it.
 */
export function sqliteDevices(file: string, unlisted: UnlistedKeys): SqliteDevices {
  const spreads = new LRUCache<string, { listings: number; spread: (KeySpread | undefined)[] }>({
    max: SPREADS_MAX,
  })
  let reader: Reader | undefined
  let endsAtTurn: NodeJS.Immediate | undefined

  function begin(): Reader {
    // Opened by the first visit, because commands and tests look nothing up.
    reader ??= openReader(file)
    if (endsAtTurn) return reader
    reader.begin.run()
    endsAtTurn = setImmediate(end)
    return reader
  }

  function end(): void {
    clearImmediate(endsAtTurn)
    if (endsAtTurn) reader?.commit.run()
    endsAtTurn = undefined
  }

  function rowsOf(select: (reader: Reader) => StatementSync, values: readonly number[]): SQLOutputValue[][] {
    try {
      return select(begin()).all(...values) as unknown as SQLOutputValue[][]
    } catch (error) {
      end()
      throw error
    }
  }

  return {
    async lookUp(domainId, keys) {
      if (keys.length === 0) return []
      return unlisted.complete(
        domainId,
        keys,
        matchesOf(rowsOf(({ keys: by }) => by(keys.length), [domainId, ...keys])),
      )
    },

    async devices(domainId, numbers) {
      if (numbers.length === 0) return []
      const rows = rowsOf(({ devices }) => devices(numbers.length), [domainId, ...numbers])
      return rows.map(([id, profile, keys]) => ({
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
      for (const [kind, once, twice] of rowsOf(({ spread: all }) => all, [domainId, family]))
        spread[Number(kind)] = { once: Number(once), twice: Number(twice) }
      spreads.set(name, { listings, spread })
      return spread
    },

    written: end,

    close() {
      end()
      reader?.close()
      reader = undefined
    },
  }
}

type Reader = ReturnType<typeof openReader>

function openReader(file: string) {
  const db = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
  db.exec(`pragma cache_size = -${CACHE_KIB}`)

  function prepare(sql: string): StatementSync {
    const statement = db.prepare(sql)
    // An object for each row takes longer to make than the row to read.
    statement.setReturnArrays(true)
    return statement
  }

  /** Statements by the number of values that they look up. */
  function byCount(select: (count: number) => string): (count: number) => StatementSync {
    const statements: StatementSync[] = []
    return (count) => {
      statements[count] ??= prepare(select(count))
      return statements[count]
    }
  }

  return {
    begin: db.prepare('begin'),
    commit: db.prepare('commit'),
    keys: byCount(selectKeys),
    devices: byCount(selectDevices),
    spread: prepare(SELECT_SPREAD),
    close: () => db.close(),
  }
}

const SELECT_SPREAD = 'select kind, once, twice from key_spreads where domain_id = ? and family = ?'

const questionMarks = (count: number): string => Array(count).fill('?').join(', ')

const selectKeys = (count: number): string =>
  `select key, ordinal, device from device_keys
   where domain_id = ? and key in (${questionMarks(count)}) order by key, ordinal desc`

/** The plus keeps SQLite from reading all devices of the domain; see `besideIds` of `engine-sql.ts`. */
const selectDevices = (count: number): string =>
  `select id, profile, keys from devices where +domain_id = ? and id in (${questionMarks(count)})`

/** @param rows key, ordinal and device, with the newest device of each key first */
function matchesOf(rows: readonly SQLOutputValue[][]): KeyMatch[] {
  const matches: { key: number; devices: number; listed: number[] }[] = []
  for (const [key, ordinal, device] of rows) {
    const listed = Number(device) > GONE ? [Number(device)] : []
    const last = matches.at(-1)
    if (last && last.key === key) last.listed.push(...listed)
    else matches.push({ key: Number(key), devices: Number(ordinal), listed })
  }
  return matches
}
