import { randomUUID } from 'node:crypto'
import { NIL_UUID, type PatternChanged } from '@inkling/contract'
import { expect, onTestFinished, test, vi } from 'vitest'
import { identified } from '../../../test/identified.ts'
import { type TestDomain, temporaryDomain } from '../../../test/temporary-surface.ts'
import { registerDomain } from '../../auth/register-domain.ts'
import { addEndpoint } from '../../deliver/webhook-endpoints.ts'
import { DAY_MS, HOUR_MS } from '../../lib/durations.ts'
import { endpointStore } from '../../store/domains/domains.ts'
import { erase } from '../../store/erasure/erase.ts'
import { findingRows } from '../../store/findings/findings.ts'
import { movePatternCursor } from '../../store/findings/pattern-cursor.ts'
import { nextIdRange } from '../../store/identifications/id-range.ts'
import { removeOlder } from '../../store/identifications/remove-identifications.ts'
import { runPatterns } from './run-patterns.ts'

const NOW_MS = Date.UTC(2026, 10, 21, 12)
const SETTLE_MS = 60_000
const DEVICE = '7d3b1f52-8c4e-5a6b-9d0e-1f2a3b4c5d6e'
const identity = (deviceId: string, visitorId: string = randomUUID()) => ({
  deviceId,
  visitorId,
  components: [],
})

/** A domain with its own clock; `run` grades patterns at that time. */
async function site() {
  const domain = await temporaryDomain()
  const clock = { nowMs: NOW_MS }
  return {
    ...domain,
    clock,
    run: (settledAfterMs = SETTLE_MS) =>
      runPatterns(domain.store, { settledAfterMs, now: () => clock.nowMs }),
    findings: () => domain.store.reads.selectFrom('pattern_findings').selectAll().orderBy('id').execute(),
    events: async () =>
      (await domain.store.reads.selectFrom('outbox').selectAll().orderBy('id').execute()).map(
        ({ body }) => JSON.parse(Buffer.from(body).toString()) as PatternChanged,
      ),
  }
}

/** `count` accounts on one device, each an hour older than the one before. */
async function accountsOnDevice({ record }: TestDomain, count: number, prefix = 'account'): Promise<void> {
  for (let index = 0; index < count; index += 1)
    await record({
      userHid: `${prefix}-${index}`,
      identity: identity(DEVICE, '9a7b6c5d-4e3f-5a1b-8c2d-3e4f5a6b7c8d'),
      atMs: NOW_MS - (index + 1) * HOUR_MS,
    })
}

async function listener({ store, secrets, domainId }: TestDomain): Promise<number> {
  const { row } = await addEndpoint(store, secrets, domainId, 'https://hooks.example/', NOW_MS)
  await endpointStore(store.writes).change(domainId, row.id, { pattern_events: 1 })
  return row.id
}

test('a finding names its entity, its thresholds and its identifications', async () => {
  const shop = await site()
  await accountsOnDevice(shop, 9)
  expect(await shop.run()).toEqual({ identifications: 9, entities: 1, changes: 1 })
  const [finding, ...others] = await shop.findings()
  expect(others).toEqual([])
  expect(finding).toMatchObject({
    pattern: 'many_accounts_on_device',
    entity_type: 'device_id',
    entity_value: DEVICE,
    grade: 'suspicious',
    count: 9,
    suspicious_from: 8,
    dangerous_from: 16,
    first_at: NOW_MS - 9 * HOUR_MS,
    last_at: NOW_MS - HOUR_MS,
    resolved_at: null,
  })
  const rows = finding ? await findingRows(shop.store.reads, finding) : []
  expect(rows.map(({ user_hid }) => user_hid)).toEqual(
    Array.from({ length: 9 }, (_, index) => `account-${index}`),
  )
})

test('each type of entity is read from the database', async () => {
  const shop = await site()
  const visitorId = randomUUID()
  const past = { atMs: NOW_MS - HOUR_MS }
  for (let index = 0; index < 10; index += 1) {
    await shop.record({ ...past, userHid: 'many', identity: identity(randomUUID()), cookieId: randomUUID() })
    await shop.record({ ...past, identity: identity(randomUUID(), visitorId) })
  }
  for (const country of ['Germany', 'Brazil', 'Vietnam', 'Kenya'])
    await shop.record({ ...past, userHid: 'traveller', ip: { ...identified().ip, country } })
  await shop.run()
  expect((await shop.findings()).map(({ pattern, entity_value }) => [pattern, entity_value]).sort()).toEqual([
    ['changing_ids_on_account', 'many'],
    ['many_countries_on_account', 'traveller'],
    ['many_devices_on_account', 'many'],
    ['many_devices_on_visitor', visitorId],
  ])
})

test('a local IP is a leaked address or one that the network check saw, never a private one', async () => {
  const shop = await site()
  async function farm(local: string, direct: boolean): Promise<void> {
    const seen = { address: local, country: 'Germany' }
    for (let index = 0; index < 12; index += 1)
      await shop.record({
        atMs: NOW_MS - HOUR_MS,
        userHid: `${local}-${index}`,
        identity: identity(DEVICE.replace('7d', `0${index % 3}`)),
        address: direct ? local : `45.10.${index}.7`,
        check: {
          ...identified().check,
          requestSeen: true,
          service: seen,
          leak: direct ? undefined : { ...seen, otherNetwork: true },
        },
      })
  }
  await farm('91.0.0.1', false)
  await farm('91.0.0.2', true)
  await farm('192.168.1.5', false)
  await farm('100.64.0.9', true)
  await shop.run()
  const found = (await shop.findings()).filter(({ pattern }) => pattern === 'many_accounts_on_local_ip')
  expect(found.map(({ entity_value }) => entity_value).sort()).toEqual(['91.0.0.1', '91.0.0.2'])
})

test('guests of a kiosk are no finding on its address: their own devices are known from elsewhere', async () => {
  const shop = await site()
  const check = {
    ...identified().check,
    requestSeen: true,
    service: { address: '91.0.0.1', country: 'Germany' },
  }
  const visit = (guest: number, deviceId: string) =>
    shop.record({ atMs: NOW_MS - HOUR_MS, userHid: `guest-${guest}`, identity: identity(deviceId) })
  for (let guest = 0; guest < 12; guest += 1) {
    const userHid = `guest-${guest}`
    await shop.record({
      atMs: NOW_MS - HOUR_MS,
      address: '91.0.0.1',
      check,
      userHid,
      identity: identity(DEVICE),
    })
    const own = randomUUID()
    for (let index = 0; index < 2; index += 1) await visit(guest, own)
  }
  await shop.run()
  expect(await shop.findings()).toEqual([])
})

test('placeholder accounts and the nil device never have findings', async () => {
  const shop = await site()
  for (const userHid of ['anonymous', 'fail', '-1', 'unknown', 'null', ''])
    for (let index = 0; index < 20; index += 1)
      await shop.record({
        userHid,
        identity: identity(randomUUID()),
        cookieId: randomUUID(),
        atMs: NOW_MS - HOUR_MS,
      })
  for (let index = 0; index < 30; index += 1)
    await shop.record({
      userHid: `account-${index}`,
      identity: identity(NIL_UUID, NIL_UUID),
      cookieId: NIL_UUID,
      atMs: NOW_MS - HOUR_MS,
    })
  await shop.run()
  expect(await shop.findings()).toEqual([])
})

test('only entities with identifications since the last run are graded', async () => {
  const shop = await site()
  await accountsOnDevice(shop, 9)
  await shop.run()
  expect(await shop.run()).toEqual({ identifications: 0, entities: 0, changes: 0 })
  await shop.record({ userHid: 'one-more', identity: identity(DEVICE), atMs: NOW_MS - HOUR_MS })
  expect(await shop.run()).toEqual({ identifications: 1, entities: 1, changes: 0 })
  expect((await shop.findings())[0]).toMatchObject({ count: 10 })
})

test('an identification that late evidence can still change waits', async () => {
  const shop = await site()
  for (let index = 0; index < 9; index += 1)
    await shop.record({ userHid: `account-${index}`, identity: identity(DEVICE), atMs: NOW_MS - 1_000 })
  expect(await shop.run()).toMatchObject({ identifications: 0 })
  shop.clock.nowMs += SETTLE_MS
  expect(await shop.run()).toMatchObject({ identifications: 9, changes: 1 })
})

test('each change of the grade is sent once, to the subscribed endpoints only', async () => {
  const shop = await site()
  const asked = await listener(shop)
  await addEndpoint(shop.store, shop.secrets, shop.domainId, 'https://other.example/', NOW_MS)
  await accountsOnDevice(shop, 9)
  await shop.run()
  await accountsOnDevice(shop, 9, 'more')
  await shop.run()
  await shop.run()
  // Some of the nine have left the window by then, later all.
  shop.clock.nowMs = NOW_MS + 30 * DAY_MS - 6 * HOUR_MS
  await shop.run()
  shop.clock.nowMs = NOW_MS + 31 * DAY_MS
  await shop.run()
  const events = await shop.events()
  expect(events.map(({ data }) => [data.change, data.grade, data.previous_grade])).toEqual([
    ['new', 'suspicious', null],
    ['raised', 'dangerous', 'suspicious'],
    ['lowered', 'suspicious', 'dangerous'],
    ['resolved', null, 'suspicious'],
  ])
  expect(new Set(events.map(({ data }) => data.finding_id)).size).toBe(1)
  expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(4)
  const outbox = await shop.store.reads.selectFrom('outbox').select('endpoint_id').execute()
  expect(outbox.map(({ endpoint_id }) => endpoint_id)).toEqual([asked, asked, asked, asked])
})

test('a finding that comes back is new again, under the same ID', async () => {
  const shop = await site()
  await listener(shop)
  await accountsOnDevice(shop, 9)
  await shop.run()
  shop.clock.nowMs = NOW_MS + 31 * DAY_MS
  await shop.run()
  for (let index = 0; index < 9; index += 1)
    await shop.record({
      userHid: `later-${index}`,
      identity: identity(DEVICE),
      atMs: shop.clock.nowMs - HOUR_MS,
    })
  await shop.run()
  expect((await shop.events()).map(({ data }) => [data.finding_id, data.change])).toEqual([
    [1, 'new'],
    [1, 'resolved'],
    [1, 'new'],
  ])
})

test('two processes that run at once make one finding and one event', async () => {
  const shop = await site()
  await listener(shop)
  await accountsOnDevice(shop, 20)
  const runs = Array.from({ length: 4 }, () => shop.run())
  const changes = (await Promise.all(runs)).reduce((sum, run) => sum + run.changes, 0)
  expect(changes).toBe(1)
  expect(await shop.findings()).toHaveLength(1)
  expect(await shop.events()).toHaveLength(1)
})

test('erasing an entity leaves no finding and no event of it', async () => {
  const shop = await site()
  await listener(shop)
  await accountsOnDevice(shop, 9)
  await shop.run()
  const { store, domainId } = shop
  await erase(store, domainId, { type: 'device_id', value: DEVICE })
  expect(await shop.findings()).toEqual([])
  expect(await store.reads.selectFrom('pattern_rows').selectAll().execute()).toEqual([])
  expect(await shop.events()).toEqual([])
})

test('erasing one account removes its identifications from a device’s finding, which is graded again', async () => {
  const shop = await site()
  await accountsOnDevice(shop, 8)
  await shop.run()
  const { store, domainId } = shop
  const account = { type: 'user_hid', value: 'account-3' } as const
  await erase(store, domainId, account)
  expect(await store.reads.selectFrom('pattern_rows').selectAll().execute()).toHaveLength(7)
  expect(await shop.run()).toMatchObject({ changes: 1 })
  expect((await shop.findings())[0]).toMatchObject({ resolved_at: NOW_MS })
})

test('retention removes findings along with their identifications', async () => {
  const shop = await site()
  await accountsOnDevice(shop, 9)
  await shop.run()
  await removeOlder(shop.store, NOW_MS)
  expect(await shop.findings()).toEqual([])
  expect(await shop.store.reads.selectFrom('pattern_rows').selectAll().execute()).toEqual([])
})

test('findings that were judged while the clock was ahead are judged again once it is right', async () => {
  const shop = await site()
  await accountsOnDevice(shop, 9)
  shop.clock.nowMs = NOW_MS + DAY_MS
  await shop.run()
  shop.clock.nowMs = NOW_MS
  expect(await shop.run()).toMatchObject({ entities: 1 })
  expect(await shop.findings()).toMatchObject([{ judged_at: NOW_MS }])
  expect(await shop.run()).toMatchObject({ entities: 0 })
})

test('patterns are searched in a row that reuses a removed ID', async () => {
  const shop = await site()
  await accountsOnDevice(shop, 7)
  const others = []
  for (let index = 0; index < 5; index += 1) others.push(await shop.record({ atMs: NOW_MS - HOUR_MS }))
  await shop.run()
  for (const value of others) await erase(shop.store, shop.domainId, { type: 'request_id', value })
  await accountsOnDevice(shop, 2, 'later')
  expect(await shop.run()).toMatchObject({ identifications: 2, changes: 1 })
  expect(await shop.findings()).toMatchObject([{ pattern: 'many_accounts_on_device', count: 9 }])
})

test('and in one that reuses the ID of a row which was removed during a run', async () => {
  const shop = await site()
  const requestId = await shop.record({ atMs: NOW_MS - HOUR_MS })
  const batch = await nextIdRange(shop.store, 0, { nowMs: NOW_MS, settledAfterMs: SETTLE_MS, limit: 10 })
  await erase(shop.store, shop.domainId, { type: 'request_id', value: requestId })
  await movePatternCursor(shop.store.writes, batch?.through ?? 0)
  await accountsOnDevice(shop, 9)
  expect(await shop.run()).toMatchObject({ identifications: 9, changes: 1 })
})

test('another domain’s identifications of the same device do not count', async () => {
  const shop = await site()
  await accountsOnDevice(shop, 5)
  await registerDomain(shop.store, 'blog.example', NOW_MS)
  for (let index = 0; index < 5; index += 1)
    await shop.record({
      domain: { ...identified().domain, id: shop.domainId + 1 },
      userHid: `reader-${index}`,
      identity: identity(DEVICE),
      atMs: NOW_MS - HOUR_MS,
    })
  await shop.run()
  expect(await shop.findings()).toEqual([])
})

test('hundreds of visits of no interest hide neither the accounts of a device nor the history of an account', async () => {
  const shop = await site()
  await accountsOnDevice(shop, 9)
  for (let index = 0; index < 320; index += 1)
    await shop.record({
      userHid: 'account-0',
      identity: identity(DEVICE, '9a7b6c5d-4e3f-5a1b-8c2d-3e4f5a6b7c8d'),
      atMs: NOW_MS - SETTLE_MS - index * 1_000,
    })
  for (;;) if ((await shop.run()).identifications === 0) break
  expect(await shop.findings()).toMatchObject([{ pattern: 'many_accounts_on_device', count: 9 }])
})

test('findings are rechecked in a run whose visits take all of its time', async () => {
  const shop = await site()
  await accountsOnDevice(shop, 9)
  await shop.run()
  shop.clock.nowMs += 31 * DAY_MS
  const passed = vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValue(60_000)
  onTestFinished(() => passed.mockRestore())
  expect(await shop.run()).toEqual({ identifications: 0, entities: 1, changes: 1 })
  expect((await shop.findings()).map(({ resolved_at }) => resolved_at)).toEqual([shop.clock.nowMs])
})
