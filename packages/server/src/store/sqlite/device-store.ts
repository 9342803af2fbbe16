import type { CompiledQuery, Kysely, Selectable } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { DeviceStore, KeyMatch, KeySpread } from '../../visit/known-device.ts'
import { decodeProfile } from '../devices/devices.ts'
import { DOMAIN_BESIDE_IDS } from '../engine-sql.ts'
import type { DeviceKeyTable, DeviceTables } from '../schema.ts'
import type { UnlistedKeys } from './unlisted-keys.ts'

/** Systems and browsers of which the spreads are at hand. */
const SPREADS_MAX = 1_000

/** What is remembered of devices. Every method takes the domain first. */
export function deviceStore(db: Kysely<DeviceTables>, unlisted: UnlistedKeys): DeviceStore {
  const spreads = new LRUCache<string, { listings: number; spread: (KeySpread | undefined)[] }>({
    max: SPREADS_MAX,
  })
  const keysAmong = overNumbers((keys) =>
    db
      .selectFrom('device_keys')
      .select(['key', 'ordinal', 'device'])
      .where('domain_id', '=', 0)
      .where('key', 'in', keys)
      .orderBy('key')
      .orderBy('ordinal', 'desc')
      .compile(),
  )
  const devicesWith = overNumbers((numbers) =>
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
        const { rows } = await db.executeQuery(keysAmong(domainId, keys))
        // What was listed since the rows were read is in neither of the two.
        if (unlisted.listings() === before) return unlisted.complete(domainId, keys, matchesOf(rows))
      }
    },

    async devices(domainId, numbers) {
      if (numbers.length === 0) return []
      const { rows } = await db.executeQuery(devicesWith(domainId, numbers))
      return rows.map(({ id, profile, keys }) => ({ number: id, profile: decodeProfile(profile, keys) }))
    },

    async spread(domainId, family) {
      const name = `${domainId} ${family}`
      const listings = unlisted.listings()
      const known = spreads.get(name)
      // They grow when keys are listed, and at no other time.
      if (known?.listings === listings) return known.spread
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

/** Of rows with the newest device first. */
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
 * A query over a domain and a list of numbers, in this order. Each length is compiled once: that would cost
 * more than the query itself.
 */
function overNumbers<Row>(
  compile: (numbers: readonly number[]) => CompiledQuery<Row>,
): (domainId: number, numbers: readonly number[]) => CompiledQuery<Row> {
  const compiled = new Map<number, CompiledQuery<Row>>()
  return (domainId, numbers) => {
    const known = compiled.get(numbers.length) ?? compile(numbers)
    compiled.set(numbers.length, known)
    return { ...known, parameters: [domainId, ...numbers] }
  }
}
