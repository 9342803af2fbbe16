import { expect, test } from 'vitest'
import { accountSurface } from '../../../test/account/account-surface.ts'
import { storeDelivery, storeVisit } from '../../../test/account/stored-visits.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { removeOlder } from './remove-identifications.ts'

test('older identifications are removed with everything that refers to them; younger ones and the volume stay', async () => {
  const surface = await accountSurface()
  const { store, clock } = surface
  const old = clock.nowMs - 91 * DAY_MS
  for (let count = 0; count < 3; count += 1) await storeVisit(surface, { atMs: old })
  await storeDelivery(surface, await storeVisit(surface, { atMs: old }), { sent_at: old })
  const young = await storeVisit(surface, { atMs: clock.nowMs - 89 * DAY_MS })
  await storeDelivery(surface, young)
  const remaining = () => store.reads.selectFrom('domains').select('remaining').execute()
  const before = await remaining()

  expect(await removeOlder(store, clock.nowMs - 90 * DAY_MS)).toBe(4)
  for (const table of ['identifications', 'snapshots', 'deliveries'] as const)
    expect(await store.reads.selectFrom(table).select('domain_id').execute()).toHaveLength(1)
  expect(await remaining()).toEqual(before)
  expect(await removeOlder(store, clock.nowMs - 90 * DAY_MS)).toBe(0)
})

test('retention removes several batches, and continues after a stop', async () => {
  const surface = await accountSurface()
  const { store, clock } = surface
  const atMs = clock.nowMs - 91 * DAY_MS
  await Promise.all(Array.from({ length: 1_100 }, () => storeVisit(surface, { atMs })))
  let batches = 0
  const afterOne = () => {
    batches += 1
    return batches > 1
  }
  expect(await removeOlder(store, clock.nowMs, afterOne)).toBe(500)
  expect(await removeOlder(store, clock.nowMs)).toBe(600)
})
