import { LRUCache } from 'lru-cache'
import type { Pool } from 'pg'
import { type DeviceStore, type KeySpread, LISTED_MAX } from '../../visit/known-device.ts'
import { combineMatch, decodeProfile, GONE } from '../devices/devices.ts'
import { type Statement, statement } from './array-statement.ts'
import { batchLoader } from './batch-loader.ts'
import type { VisitConnection, VisitConnections } from './visit-connections.ts'

/** Combinations of system and browser whose spreads are cached. */
const SPREADS_MAX = 1_000
/** One second of new devices hardly changes the counts of all devices. */
const SPREAD_TTL_MS = 1_000

/** The known devices in PostgreSQL, including those whose keys are not listed yet. */
export function postgresDevices(pool: Pool, connections: VisitConnections): DeviceStore {
  const spreads = new LRUCache<string, (KeySpread | undefined)[]>({ max: SPREADS_MAX, ttl: SPREAD_TTL_MS })

  const ask = <Row>(
    asked: Statement<Row>,
    { client, shards }: VisitConnection,
    arrays: readonly (readonly number[])[],
  ): Promise<Row[]> => (shards ? asked.runAt(shards, client, arrays) : asked.run(client, arrays))

  const lookUp = batchLoader(connections.connect, async (connected, domainId, keys) => {
    const rows = await ask(LOOK_UP, connected, [[domainId], keys])
    return new Map(
      rows.map(({ key, devices, listed, unlisted_rows, unlisted }) => [
        key,
        combineMatch(key, { devices, listed }, { rows: unlisted_rows, newest: unlisted }),
      ]),
    )
  })
  const read = batchLoader(connections.connect, async (connected, domainId, numbers) => {
    const rows = await ask(READ, connected, [[domainId], numbers])
    return new Map(
      rows.map(({ id, profile, keys }) => [id, { number: id, profile: decodeProfile(profile, keys) }]),
    )
  })

  return {
    lookUp: (domainId, keys) => connections.retried(() => lookUp(domainId, keys)),
    devices: (domainId, numbers) => connections.retried(() => read(domainId, numbers)),

    async spread(domainId, family) {
      const name = `${domainId} ${family}`
      const cached = spreads.get(name)
      if (cached) return cached
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

/** Rows of `unlisted_keys` that are read for a key. With this many it belongs to a large group anyway. */
const UNLISTED_MAX = 64

/** How the devices of a key are answered. */
interface KeyRow {
  key: number
  /** Number of devices in `device_keys`. */
  devices: number
  /** Devices in `device_keys`, newest first. */
  listed: number[]
  /** Number of rows in `unlisted_keys`, counted up to `UNLISTED_MAX`. */
  unlisted_rows: number
  /** Devices in `unlisted_keys`, newest first. */
  unlisted: number[]
}

const LOOK_UP = statement<KeyRow>(
  'look up keys',
  ['integer', 'integer'],
  ([domain, keys], { table, isHere }) => `
  with found as (
    select key, max(ordinal) as devices,
      array_agg(device order by ordinal desc) filter (where device > ${GONE}) as listed
    from ${table('device_keys')} where ${isHere} and domain_id = (${domain})[1] and key = any(${keys}) group by key
  ), waiting as (
    select key, count(*) as unlisted_rows,
      (array_agg(device order by id desc))[1:${LISTED_MAX + 1}] as unlisted
    from unnest(${keys}) as requested (key) cross join lateral (
      select id, device from ${table('unlisted_keys')} u
      where u.domain_id = (${domain})[1] and u.key = requested.key
      order by id desc limit ${UNLISTED_MAX}
    ) as newest group by key
  )
  select key, coalesce(devices, 0) as devices, coalesce(listed, '{}') as listed,
    coalesce(unlisted_rows, 0) as unlisted_rows, coalesce(unlisted, '{}') as unlisted
  from found full join waiting using (key)`,
)
const READ = statement<{ id: number; profile: string; keys: Uint8Array }>(
  'read devices',
  ['integer', 'integer'],
  ([domain, numbers], { table, isHere }) => `
    select id, profile, keys from ${table('devices')}
    where ${isHere} and domain_id = (${domain})[1] and id = any(${numbers})`,
)
