import { expect, test } from 'vitest'
import { temporaryStore } from '../../../test/temporary-store.ts'
import { DAY_MS, HOUR_MS } from '../../lib/durations.ts'
import { LISTED_MAX } from '../../visit/known-device.ts'
import { GONE } from '../devices/devices.ts'
import { removeOrphanKeys, sweepKeys } from './remove-orphan-keys.ts'

const MIDNIGHT = Date.UTC(2026, 10, 20)
const KEYS = 480

/** A device with keys all over, and as many keys of one that is gone. */
async function keysOfTwo() {
  const { store, domainId } = await temporaryStore()
  const { id } = await store.writes
    .insertInto('devices')
    .values({
      ...{ domain_id: domainId, device_id: new Uint8Array(16), last_at: 1 },
      ...{ profile: '{}', keys: new Uint8Array() },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const step = Number.MAX_SAFE_INTEGER / KEYS
  const rows = [id, id + 1].flatMap((device, index) =>
    Array.from({ length: KEYS }, (_, place) => ({
      ...{ domain_id: domainId, key: Math.floor((place + 0.5) * step), ordinal: index + 1, device },
    })),
  )
  await store.writes.insertInto('device_keys').values(rows).execute()
  const owners = async () => {
    const found = await store.reads.selectFrom('device_keys').select('device').execute()
    const mine = found.filter(({ device }) => device === id).length
    return { mine, orphans: found.length - mine }
  }
  return { store, domainId, owners }
}

test('the keys of devices that are gone go within a day, a part with each run', async () => {
  const { store, owners } = await keysOfTwo()
  expect(await sweepKeys(store, MIDNIGHT + HOUR_MS)).toBe(KEYS / 24)
  // Of another node, which has the same hour.
  expect(await sweepKeys(store, MIDNIGHT + HOUR_MS)).toBe(0)
  expect(await sweepKeys(store, MIDNIGHT + 3 * HOUR_MS)).toBe(KEYS / 12)
  expect(await sweepKeys(store, MIDNIGHT + DAY_MS - HOUR_MS)).toBe((KEYS * 20) / 24)
  expect(await sweepKeys(store, MIDNIGHT + DAY_MS + HOUR_MS)).toBe(KEYS / 24)
  expect(await owners()).toEqual({ mine: KEYS, orphans: 0 })
})

test('a node that was down for days, and an erasure, look at all keys', async () => {
  const down = await keysOfTwo()
  await sweepKeys(down.store, MIDNIGHT)
  await sweepKeys(down.store, MIDNIGHT + 3 * DAY_MS)
  expect(await down.owners()).toEqual({ mine: KEYS, orphans: 0 })
  const erased = await keysOfTwo()
  expect(await removeOrphanKeys(erased.store, erased.domainId)).toBe(KEYS)
  expect(await erased.owners()).toEqual({ mine: KEYS, orphans: 0 })
})

test('a stopped run goes on where the last complete one ended', async () => {
  const { store, owners } = await keysOfTwo()
  await sweepKeys(store, MIDNIGHT)
  expect(await sweepKeys(store, MIDNIGHT + 2 * HOUR_MS, () => true)).toBe(0)
  expect(await sweepKeys(store, MIDNIGHT + 2 * HOUR_MS)).toBe(KEYS / 12)
  expect((await owners()).mine).toBe(KEYS)
})

test('a count of more devices than are listed outlives the device that it was found by for a good year', async () => {
  const { store, domainId } = await temporaryStore()
  const row = { domain_id: domainId, key: 7, ordinal: LISTED_MAX + 1, device: 3 }
  await store.writes.insertInto('device_keys').values(row).execute()
  const left = () => store.reads.selectFrom('device_keys').select(['ordinal', 'device']).execute()
  expect(await removeOrphanKeys(store, domainId)).toBe(1)
  expect(await left()).toEqual([{ ordinal: row.ordinal, device: GONE }])
  expect(await store.devices.lookUp(domainId, [7])).toEqual([{ key: 7, devices: row.ordinal, listed: [] }])
  for (const days of [0, 1, 200, 380]) {
    expect(await sweepKeys(store, MIDNIGHT + days * DAY_MS)).toBe(0)
    expect(await store.devices.lookUp(domainId, [7])).toMatchObject([{ devices: row.ordinal, listed: [] }])
  }
  await sweepKeys(store, MIDNIGHT + 430 * DAY_MS)
  expect(await left()).toEqual([])
})
