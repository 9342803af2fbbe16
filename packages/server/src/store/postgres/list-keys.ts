import type { ClientBase, Pool } from 'pg'
import { repeat } from '../../lib/repeat.ts'
import { LISTED_MAX } from '../../visit/known-device.ts'
import { type ListedKey, spreadChanges } from '../devices/devices.ts'
import { arrayStatement, insertStatement, runIfAny } from './array-statement.ts'
import { LOCKS, runAlone } from './locks.ts'
import { withTransaction } from './pools.ts'

/** Keys in one transaction, which takes some hundred milliseconds. */
const KEYS_MAX = 20_000
const PAUSE_MS = 1_000

interface UnlistedKey {
  id: number
  domain_id: number
  family: number
  device: number
  key: number
  kind: number | null
  listed: boolean
}

interface DeviceKey {
  domain_id: number
  key: number
  ordinal: number
  device: number
}

/** Lists keys repeatedly, on one node at a time. Look-ups also find keys that are not listed yet. */
export function startPostgresListing(
  pools: Record<'jobs' | 'locks', Pool>,
  warn: (message: string, error: unknown) => void,
): { stop(): Promise<void> } {
  let stopping = false
  const timer = repeat(
    PAUSE_MS,
    () =>
      runAlone(pools.locks, 'listing', async () => {
        while (!stopping && (await listKeys(pools.jobs)));
      }),
    (error) => warn('device keys could not be listed', error),
  )
  return {
    async stop() {
      stopping = true
      await timer.stop()
    },
  }
}

/**
 * Moves keys from `unlisted_keys` to `device_keys` in the order of the latter.
 * @returns whether more keys may remain
 */
export function listKeys(pool: Pool): Promise<boolean> {
  return withTransaction(pool, async (client) => {
    // Excludes erasures, which must find each key in one of the two tables.
    await client.query('select pg_advisory_xact_lock($1)', [LOCKS.writes])
    const { rows } = await client.query<UnlistedKey>(TAKE, [KEYS_MAX])
    if (rows.length === 0) return false
    await list(client, rows)
    return rows.length === KEYS_MAX
  })
}

async function list(client: ClientBase, taken: readonly UnlistedKey[]): Promise<void> {
  const ordinals = await highestOrdinals(client, taken)
  const added: DeviceKey[] = []
  const listed: ListedKey[] = []
  /** Of keys with too many devices only the newest one stays. */
  const removals = new Map<string, { domain_id: number; key: number; ordinal: number }>()
  for (const one of taken.toSorted((a, b) => a.domain_id - b.domain_id || a.key - b.key || a.id - b.id)) {
    const { domain_id, family, kind, key, device } = one
    const name = nameOf(one)
    const ordinal = (ordinals.get(name) ?? 0) + 1
    ordinals.set(name, ordinal)
    added.push({ domain_id, key, ordinal, device })
    listed.push({ domainId: domain_id, family, kind, devices: ordinal })
    if (ordinal > (one.listed ? LISTED_MAX : 1)) removals.set(name, { domain_id, key, ordinal: ordinal - 1 })
  }
  const stays = (row: DeviceKey): boolean => row.ordinal > (removals.get(nameOf(row))?.ordinal ?? 0)
  await runIfAny(REMOVE_OLDER, client, [...removals.values()])
  await ADD.run(client, added.filter(stays))
  await runIfAny(CHANGE_SPREADS, client, spreadChanges(listed))
}

async function highestOrdinals(
  client: ClientBase,
  taken: readonly UnlistedKey[],
): Promise<Map<string, number>> {
  const distinct = new Map(taken.map((one) => [nameOf(one), one]))
  const rows = await HIGHEST.run(client, [...distinct.values()])
  return new Map(rows.map((row) => [nameOf(row), row.ordinal]))
}

const nameOf = ({ domain_id, key }: { domain_id: number; key: number }): string => `${domain_id} ${key}`

const TAKE = `
  delete from unlisted_keys where id in (select id from unlisted_keys order by id limit $1)
  returning id, domain_id, family, device, key, kind, listed`
const KEY = { domain_id: 'integer', key: 'integer' } as const
const HIGHEST = arrayStatement(
  'highest ordinals',
  KEY,
  (rows) => `select k.domain_id, k.key, max(k.ordinal) as ordinal
    from ${rows} join device_keys k on k.domain_id = given.domain_id and k.key = given.key group by 1, 2`,
  { ...KEY, ordinal: 'integer' },
)
const REMOVE_OLDER = arrayStatement(
  'remove older keys',
  { ...KEY, ordinal: 'integer' },
  (rows) => `delete from device_keys k using ${rows}
    where k.domain_id = given.domain_id and k.key = given.key and k.ordinal <= given.ordinal`,
)
const ADD = insertStatement('device_keys', { ...KEY, ordinal: 'integer', device: 'integer' })
const CHANGE_SPREADS = arrayStatement(
  'change spreads',
  { domain_id: 'integer', family: 'integer', kind: 'integer', once: 'integer', twice: 'integer' },
  (rows) => `insert into key_spreads as counted (domain_id, family, kind, once, twice)
    select domain_id, family, kind, once, twice from ${rows}
    on conflict (domain_id, family, kind) do update
    set once = counted.once + excluded.once, twice = counted.twice + excluded.twice`,
)
