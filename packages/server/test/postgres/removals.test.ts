import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { uuidToText } from '../../src/lib/uuid.ts'
import { erase } from '../../src/store/erasure/erase.ts'
import { removeOlder } from '../../src/store/identifications/remove-identifications.ts'
import { storeVisit } from '../account/stored-visits.ts'
import { temporaryStore } from '../temporary-store.ts'
import { databaseSettings } from '../test-database.ts'

const NOW = Date.UTC(2026, 10, 20)

/** A domain with a visit, and a connection that holds the visit's device as a commit of the next one does. */
async function heldDevice() {
  const { store, domainId, directory } = await temporaryStore()
  const { DATABASE_URL } = await databaseSettings(directory)
  await storeVisit({ store, domainId, clock: { nowMs: NOW } })
  const { device_id } = await store.reads
    .selectFrom('identifications')
    .select('device_id')
    .executeTakeFirstOrThrow()
  await store.writes
    .insertInto('devices')
    .values({ domain_id: domainId, device_id, last_at: 1, profile: '{"cookies":[]}', keys: new Uint8Array() })
    .execute()
  const commit = new Client({ connectionString: DATABASE_URL ?? '' })
  await commit.connect()
  onTestFinished(() => commit.end())
  const { rows } = await commit.query<{ locks: string }>(
    "select coalesce(to_regclass('citus_locks'), 'pg_locks') as locks",
  )
  // The listing of keys waits for the removal, by an advisory lock.
  const waiting = async () =>
    (
      await commit.query(
        `select 1 from ${rows[0]?.locks} where not granted and locktype in ('transactionid', 'tuple')`,
      )
    ).rows
  await commit.query('begin')
  await commit.query('update devices set last_at = 2 where domain_id = $1', [domainId])
  return {
    store,
    domainId,
    deviceId: uuidToText(device_id),
    commit,
    /** Resolves once the removal waits for the device. */
    isAwaited: () => expect.poll(waiting).not.toHaveLength(0),
  }
}

test('a removal that waits for a device does not hold up the commits of its domain', async () => {
  const { store, domainId, commit, isAwaited } = await heldDevice()
  const removing = removeOlder(store, NOW + 1)
  await isAwaited()
  // Less than what a deadlock takes to be noticed.
  await commit.query("set local lock_timeout = '500ms'")
  await commit.query('update domains set remaining = remaining - 1 where id = $1', [domainId])
  await commit.query('commit')
  expect(await removing).toBe(1)
})

const REMOVALS = {
  retention: ({ store }) => removeOlder(store, NOW + 1),
  erasure: ({ store, domainId, deviceId }) => erase(store, domainId, { type: 'device_id', value: deviceId }),
} satisfies Record<string, (held: Awaited<ReturnType<typeof heldDevice>>) => Promise<number>>

test.each(Object.entries(REMOVALS))(
  'a batch of %s that a commit waits for is tried again',
  async (_, remove) => {
    const held = await heldDevice()
    const { domainId, commit, isAwaited } = held
    // The removal began to wait first, so that it notices first.
    await commit.query("set local deadlock_timeout = '1min'")
    const removing = remove(held)
    await isAwaited()
    await commit.query('select 1 from identifications where domain_id = $1 for update', [domainId])
    await commit.query('commit')
    expect(await removing).toBe(1)
  },
)
