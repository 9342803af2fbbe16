import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { accountSurface } from '../../../test/account/account-surface.ts'
import { storeDelivery, storeVisit } from '../../../test/account/stored-visits.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { previewErasure } from '../erasure/preview-erasure.ts'
import { labelStore } from '../labels/labels.ts'
import { listStore } from '../lists/list-entries.ts'
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

test('what lists and labels say of a session goes with its last identification', async () => {
  const surface = await accountSurface()
  const { store, domainId, clock } = surface
  const [sessionId, endedId] = [randomUUID(), randomUUID()]
  await storeVisit(surface, { atMs: clock.nowMs - 91 * DAY_MS, sessionId: endedId })
  const first = await storeVisit(surface, { atMs: clock.nowMs - 91 * DAY_MS, sessionId })
  const last = await storeVisit(surface, { sessionId })
  const by = { author: 'somebody', nowMs: clock.nowMs }
  await store.writes.transaction().execute(async (transaction) => {
    const entry = { list: 'deny', kind: 'session', reason: '', expiresAtMs: undefined } as const
    const values = [sessionId, endedId]
    await listStore(transaction).save(
      domainId,
      values.map((value) => ({ ...entry, value })),
      by,
    )
    const subjects = [
      ...values.map((value) => ({ type: 'session' as const, value })),
      { type: 'request' as const, value: first.requestId },
    ]
    const label = { kind: 'fraud', source: 'review', atMs: clock.nowMs, note: '' }
    await labelStore(transaction).save(
      domainId,
      subjects.map((subject) => ({ ...label, subject })),
      by,
    )
  })
  const said = async () => ({
    entries: (await listStore(store.reads).page(domainId, {}, { limit: 9 })).map(({ value }) => value),
    labels: (await labelStore(store.reads).page(domainId, {}, { limit: 9 })).map(
      ({ subject }) => subject.value,
    ),
  })
  expect(await removeOlder(store, clock.nowMs - 90 * DAY_MS)).toBe(2)
  expect(await said()).toEqual({ entries: [sessionId], labels: [sessionId] })

  const preview = await previewErasure(store.reads, domainId, [{ type: 'request_id', value: last.requestId }])
  expect(preview.tables).toContainEqual({ table: 'list_entries', rows: 1 })
  expect(await removeOlder(store, clock.nowMs + 1)).toBe(1)
  expect(await said()).toEqual({ entries: [], labels: [] })
})
