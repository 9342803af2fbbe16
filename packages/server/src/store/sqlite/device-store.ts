import type { CompiledQuery, Kysely, Selectable } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { DeviceStore, KeyMatch, KeySpread } from '../../visit/known-device.ts'
import { decodeProfile } from '../devices/devices.ts'
import { DOMAIN_BESIDE_IDS } from '../engine-sql.ts'
import type { DeviceKeyTable, Schema } from '../schema.ts'
import type { UnlistedKeys } from './unlisted-keys.ts'

/** Combinations of system and browser whose spreads are cached. */
const SPREADS_MAX = 1_000

/** The known devices in the embedded database. */
export function sqliteDevices(db: Kysely<Schema>, unlisted: UnlistedKeys): DeviceStore {
  const spreads = new LRUCache<string, { listings: number; spread: (KeySpread | undefined)[] }>({
    max: SPREADS_MAX,
  })
  const selectKeys = queryByNumbers((keys) =>
    db
      .selectFrom('device_keys')
      .select(['key', 'ordinal', 'device'])
      .where('domain_id', '=', 0)
      .where('key', 'in', keys)
      .orderBy('key')
      .orderBy('ordinal', 'desc')
      .compile(),
  )
  const selectDevices = queryByNumbers((numbers) =>
    db
      .selectFrom('devices')
      .select(['id', 'profile', 'keys'])
      .where(DOMAIN_BESIDE_IDS, '=', 0)
      .where('id', 'in', numbers)
      .compile(),
  )

  return {
    async lookUp(domainId, keys) {
      if (keys.length === 0) return []
      for (;;) {
        const before = unlisted.listings()
        const { rows } = await db.executeQuery(selectKeys(domainId, keys))
        // Keys that were listed meanwhile are neither in these rows nor in `unlisted`: read again.
        if (unlisted.listings() === before) return unlisted.complete(domainId, keys, matchesOf(rows))
      }
    },

    async devices(domainId, numbers) {
      if (numbers.length === 0) return []
      const { rows } = await db.executeQuery(selectDevices(domainId, numbers))
      return rows.map(({ id, profile, keys }) => ({ number: id, profile: decodeProfile(profile, keys) }))
    },

    async spread(domainId, family) {
      const name = `${domainId} ${family}`
      const listings = unlisted.listings()
      const cached = spreads.get(name)
      // Spreads change only when keys are listed.
      if (cached?.listings === listings) return cached.spread
      const rows = await db
        .selectFrom('key_spreads')
        .select(['kind', 'once', 'twice'])
        .where('domain_id', '=', domainId)
        .where('family', '=', family)
        .execute()
      const spread: (KeySpread | undefined)[] = []
      for (const { kind, once, twice } of rows) spread[kind] = { once, twice }
      spreads.set(name, { listings, spread })
      return spread
    },
  }
}

/** @param rows with the newest device of each key first */
function matchesOf(
  rows: readonly Pick<Selectable<DeviceKeyTable>, 'key' | 'ordinal' | 'device'>[],
): KeyMatch[] {
  const matches: { key: number; devices: number; listed: number[] }[] = []
  for (const { key, ordinal, device } of rows) {
    const last = matches.at(-1)
    if (last?.key === key) last.listed.push(device)
    else matches.push({ key, devices: ordinal, listed: [device] })
  }
  return matches
}

/**
 * Prepares a query whose parameters are a domain and a list of numbers. It is compiled once for each length of the
 * list, because compiling costs more than the query itself.
 */
function queryByNumbers<Row>(
  compile: (numbers: readonly number[]) => CompiledQuery<Row>,
): (domainId: number, numbers: readonly number[]) => CompiledQuery<Row> {
  const compiled = new Map<number, CompiledQuery<Row>>()
  return (domainId, numbers) => {
    const query = compiled.get(numbers.length) ?? compile(numbers)
    compiled.set(numbers.length, query)
    return { ...query, parameters: [domainId, ...numbers] }
  }
}
