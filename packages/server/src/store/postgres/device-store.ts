import { LRUCache } from 'lru-cache'
import type { Pool } from 'pg'
import { type DeviceStore, type KeyMatch, type KeySpread, LISTED_MAX } from '../../visit/known-device.ts'
import { decodeProfile } from '../devices/devices.ts'
import { inCompany } from './batch-loader.ts'

/** Systems and browsers of which the spreads are at hand. */
const SPREADS_MAX = 1_000
/** They change slowly: a second's devices among all that there ever were. */
const SPREAD_TTL_MS = 1_000

interface KeyRow {
  key: number
  devices: number
  /** Newest first. */
  listed: number[]
}

/** What is remembered of devices, with the keys that no job has listed yet. */
export function postgresDevices(pool: Pool): DeviceStore {
  const spreads = new LRUCache<string, (KeySpread | undefined)[]>({ max: SPREADS_MAX, ttl: SPREAD_TTL_MS })

  return {
    lookUp: inCompany(pool, async (client, domainId, keys) => {
      const { rows } = await client.query<KeyRow & { unlisted: number[] | null; added: number }>({
        name: 'look up keys',
        text: LOOK_UP,
        values: [domainId, keys],
      })
      return new Map(rows.map((row) => [row.key, matchOf(row)]))
    }),

    devices: inCompany(pool, async (client, domainId, numbers) => {
      const { rows } = await client.query<{ id: number; profile: string; keys: Uint8Array }>({
        name: 'read devices',
        text: 'select id, profile, keys from devices where domain_id = $1 and id = any($2::bigint[])',
        values: [domainId, numbers],
      })
      return new Map(
        rows.map(({ id, profile, keys }) => [id, { number: id, profile: decodeProfile(profile, keys) }]),
      )
    }),

    async spread(domainId, family) {
      const name = `${domainId} ${family}`
      const known = spreads.get(name)
      if (known) return known
      const { rows } = await pool.query<{ kind: number; once: number; twice: number }>({
        name: 'read spread',
        text: 'select kind, once, twice from key_spreads where domain_id = $1 and family = $2',
        values: [domainId, family],
      })
      const spread: (KeySpread | undefined)[] = []
      for (const { kind, once, twice } of rows) spread[kind] = { once, twice }
      spreads.set(name, spread)
      return spread
    },
  }
}

/** So many devices that wait to be listed count for a key: it is a large group's then, whatever comes on top. */
const UNLISTED_MAX = 64

const LOOK_UP = `
  with found as (
    select key, max(ordinal) as devices, array_agg(device order by ordinal desc) as listed
    from device_keys where domain_id = $1 and key = any($2::bigint[]) group by key
  ), waiting as (
    select key, count(*) as added, (array_agg(device order by id desc))[1:${LISTED_MAX + 1}] as unlisted
    from unnest($2::bigint[]) as wanted (key) cross join lateral (
      select id, device from unlisted_keys u where u.domain_id = $1 and u.key = wanted.key
      order by id desc limit ${UNLISTED_MAX}
    ) as newest group by key
  )
  select key, coalesce(devices, 0) as devices, coalesce(listed, '{}') as listed,
    coalesce(added, 0) as added, coalesce(unlisted, '{}') as unlisted
  from found full join waiting using (key)`

function matchOf({
  key,
  devices,
  listed,
  added,
  unlisted,
}: KeyRow & { unlisted: number[] | null; added: number }): KeyMatch {
  const different = [...new Set([...(unlisted ?? []), ...listed])]
  // Where all are at hand they can be counted, so that a device which has the key twice counts once.
  const isCountable = listed.length === devices && added <= LISTED_MAX
  const count = isCountable ? different.length : devices + added
  return { key, devices: count, listed: count > LISTED_MAX ? different.slice(0, 1) : different }
}
