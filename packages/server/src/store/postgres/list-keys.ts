import type { ClientBase, Pool } from 'pg'
import { repeat } from '../../lib/repeat.ts'
import { LISTED_MAX } from '../../visit/known-device.ts'
import { type KeyOfDevice, spreadGrowth } from '../devices/devices.ts'
import { insertRows, overRows } from './array-statement.ts'
import { LOCKS, runAlone } from './locks.ts'
import { inTransaction } from './write-batch.ts'

/** Keys that one transaction lists: some hundred milliseconds. */
const KEYS_MAX = 20_000

interface UnlistedKey extends KeyOfDevice {
  id: number
  device: number
  listed: boolean
}

interface ListedKey {
  domain_id: number
  key: number
  ordinal: number
  device: number
}

/**
 * Brings keys from `unlisted_keys` to `device_keys`, in the order of that table.
 * @returns whether there may be more
 */
export function listKeys(pool: Pool): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    // An erasure must not look for a key in one table while it moves to the other.
    await client.query('select pg_advisory_xact_lock($1)', [LOCKS.writes])
    const { rows } = await client.query<UnlistedKey>(TAKE, [KEYS_MAX])
    if (rows.length === 0) return false
    await list(client, rows)
    return rows.length === KEYS_MAX
  })
}

async function list(client: ClientBase, taken: readonly UnlistedKey[]): Promise<void> {
  const ordinals = await highestOrdinals(client, taken)
  const listed: ListedKey[] = []
  const counted: { of: UnlistedKey; devices: number }[] = []
  const cuts = new Map<string, { domain_id: number; key: number; ordinal: number }>()
  for (const one of taken.toSorted((a, b) => a.domain_id - b.domain_id || a.key - b.key || a.id - b.id)) {
    const { domain_id, key, device } = one
    const name = nameOf(one)
    const ordinal = (ordinals.get(name) ?? 0) + 1
    ordinals.set(name, ordinal)
    listed.push({ domain_id, key, ordinal, device })
    counted.push({ of: one, devices: ordinal })
    if (ordinal > (one.listed ? LISTED_MAX : 1)) cuts.set(name, { domain_id, key, ordinal: ordinal - 1 })
  }
  const isLeft = (row: ListedKey): boolean => row.ordinal > (cuts.get(nameOf(row))?.ordinal ?? 0)
  if (cuts.size > 0) await CUT.run(client, [...cuts.values()])
  await ADD.run(client, listed.filter(isLeft))
  const growth = spreadGrowth(counted)
  if (growth.length > 0) await GROW.run(client, growth)
}

async function highestOrdinals(
  client: ClientBase,
  taken: readonly UnlistedKey[],
): Promise<Map<string, number>> {
  const different = new Map(taken.map((one) => [nameOf(one), one]))
  const { rows } = await HIGHEST.run<Omit<ListedKey, 'device'>>(client, [...different.values()])
  return new Map(rows.map((row) => [nameOf(row), row.ordinal]))
}

const nameOf = ({ domain_id, key }: { domain_id: number; key: number }): string => `${domain_id} ${key}`

const TAKE = `
  delete from unlisted_keys where id in (select id from unlisted_keys order by id limit $1)
  returning id, domain_id, family, device, key, kind, listed`
const KEY = { domain_id: 'bigint', key: 'bigint' } as const
const HIGHEST = overRows<{ domain_id: number; key: number }>(
  'highest ordinals',
  KEY,
  (rows) => `select k.domain_id, k.key, max(k.ordinal) as ordinal
    from ${rows} join device_keys k on k.domain_id = given.domain_id and k.key = given.key group by 1, 2`,
)
const CUT = overRows<Omit<ListedKey, 'device'>>(
  'cut keys',
  { ...KEY, ordinal: 'bigint' },
  (rows) => `delete from device_keys k using ${rows}
    where k.domain_id = given.domain_id and k.key = given.key and k.ordinal <= given.ordinal`,
)
const ADD = insertRows<ListedKey>('device_keys', { ...KEY, ordinal: 'bigint', device: 'bigint' })
const GROW = overRows<ReturnType<typeof spreadGrowth>[number]>(
  'grow spreads',
  { domain_id: 'bigint', family: 'bigint', kind: 'bigint', once: 'bigint', twice: 'bigint' },
  (rows) => `insert into key_spreads (domain_id, family, kind, once, twice)
    select domain_id, family, kind, once, twice from ${rows}
    on conflict (domain_id, family, kind) do update
    set once = key_spreads.once + excluded.once, twice = key_spreads.twice + excluded.twice`,
)

const PAUSE_MS = 1_000

/** Has keys listed every now and then, by one node at a time. What could not be listed is found where it is. */
export function listInBackground(
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
    (error) => warn('keys of devices could not be listed', error),
  )
  return {
    async stop() {
      stopping = true
      await timer.stop()
    },
  }
}
