import { randomUUID } from 'node:crypto'
import { NIL_UUID } from '@inkling/contract'
import { EntitySummary, IdentificationList } from '@inkling/contract/account'
import { expect, test } from 'vitest'
import { type AccountSurface, accountSurface } from '../../test/account/account-surface.ts'
import { overTor, storeLimitedVisit, storeVisit } from '../../test/account/stored-visits.ts'
import { ipv4ToNumber } from '../lib/address.ts'
import { DAY_MS } from '../lib/durations.ts'
import { uuidBytesOrNil } from '../lib/uuid.ts'
import type { EntityRow } from '../store/identifications/identifications.ts'
import { linkGraph } from './entity-graph.ts'

const entity = ({ ask, tokens }: AccountSurface, type: string, value: string) =>
  ask({ url: '/account/domains/shop.example/entity', query: { type, value }, token: tokens.analyst })

test('an account has its days and its devices', async () => {
  const surface = await accountSurface()
  const start = surface.clock.nowMs
  const identity = { deviceId: randomUUID(), visitorId: randomUUID(), components: [] }
  await storeVisit(surface, { userHid: 'ada', atMs: start })
  await storeVisit(surface, { userHid: 'ada', atMs: start + DAY_MS, identity, ...overTor() })
  await storeVisit(surface, { userHid: 'ada', atMs: start + DAY_MS + 1, identity })
  await storeVisit(surface, { userHid: 'grace', identity })

  const answer = await entity(surface, 'user_hid', 'ada')
  const summary = EntitySummary.parse(answer.json())
  expect(summary).toMatchObject({
    type: 'user_hid',
    value: 'ada',
    identifications: 3,
    complete: true,
    first_seen_at: '2026-11-21T00:00:00.000Z',
    last_seen_at: '2026-11-22T00:00:00.001Z',
    bands: { dangerous: 1 },
    days: [
      { day: '2026-11-21', identifications: 1 },
      { day: '2026-11-22', identifications: 2, highest_score: summary.highest_score },
    ],
  })
  expect(summary.linked.device_id.map(({ value, identifications }) => [value, identifications])).toEqual([
    [identity.deviceId, 2],
    [expect.any(String), 1],
  ])
  expect(summary.linked.user_hid.map(({ value }) => value)).toEqual(['ada'])

  const device = EntitySummary.parse((await entity(surface, 'device_id', identity.deviceId)).json())
  expect(device.linked.user_hid.map(({ value }) => value)).toEqual(['ada', 'grace'])
})

test('a device has the visits of every ID it had, by any of them, and a search too', async () => {
  const surface = await accountSurface()
  const ids = ['5a', '6b', '7c'].map((end) => `2f6d1f0a-3c51-5b0e-8c55-9f3b6a1d2e${end}`)
  const [oldest = '', middle = '', newest = ''] = ids
  const stranger = randomUUID()
  for (const deviceId of [...ids, stranger])
    await storeVisit(surface, { identity: { deviceId, visitorId: randomUUID(), components: [] } })
  // The middle one was merged after it had taken the newest in.
  for (const [merged, into] of [
    [newest, middle],
    [middle, oldest],
  ] as const)
    await surface.store.writes
      .insertInto('device_aliases')
      .values({
        domain_id: surface.domainId,
        device_id: uuidBytesOrNil(merged),
        merged_into: uuidBytesOrNil(into),
        created_at: surface.clock.nowMs,
      })
      .execute()
  for (const id of ids) {
    const summary = EntitySummary.parse((await entity(surface, 'device_id', id.toUpperCase())).json())
    expect(summary).toMatchObject({ aliases: ids.filter((other) => other !== id), identifications: 3 })
    const devices = summary.graph.nodes.filter(({ type }) => type === 'device_id')
    expect(devices).toEqual([{ type: 'device_id', value: id, identifications: 3 }])
    const url = '/account/domains/shop.example/identifications'
    const found = IdentificationList.parse(
      (await surface.ask({ url, query: { device_id: id }, token: surface.tokens.analyst })).json(),
    )
    expect(found.data.map(({ device_id }) => device_id).toSorted()).toEqual(ids)
    // Two IDs of one device are one, so no visit is found twice.
    for (const [query, expected] of [
      [`device_id=${id}&device_id=${middle}`, ids],
      [`device_id=${id}&device_id=${stranger}`, [...ids, stranger].toSorted()],
      [`not_device_id=${id}`, [stranger]],
    ] as const) {
      const several = await surface.ask({ url: `${url}?${query}`, token: surface.tokens.analyst })
      const { data } = IdentificationList.parse(several.json())
      expect(data.map(({ device_id }) => device_id).toSorted(), query).toEqual(expected)
    }
  }
})

test('what was rate limited alone has no score, rather than the best one', async () => {
  const surface = await accountSurface()
  const address = '198.51.100.7'
  await storeLimitedVisit(surface, address)
  const limited = EntitySummary.parse((await entity(surface, 'ip', address)).json())
  expect(limited).toMatchObject({ average_score: null, highest_score: null, bands: { rate_limited: 1 } })
  expect(limited.days.map(({ highest_score }) => highest_score)).toEqual([null])

  await storeVisit(surface, { address, ...overTor() })
  const scored = EntitySummary.parse((await entity(surface, 'ip', address)).json())
  expect(scored).toMatchObject({ average_score: 99, highest_score: 99 })
})

test('nil IDs and empty account names link nothing', async () => {
  const surface = await accountSurface()
  const identity = { deviceId: NIL_UUID, visitorId: NIL_UUID, components: [] }
  await storeVisit(surface, { userHid: 'anonymous', identity, cookieId: NIL_UUID, address: '2001:db8::1' })
  await storeVisit(surface, { userHid: 'anonymous', identity, cookieId: NIL_UUID, address: '198.51.100.7' })
  const { linked } = EntitySummary.parse((await entity(surface, 'ip', '198.51.100.7')).json())
  expect([linked.device_id, linked.visitor_id, linked.user_hid, linked.cookie_id]).toEqual([[], [], [], []])
  for (const [type, value] of [
    ['device_id', NIL_UUID],
    ['user_hid', 'anonymous'],
    ['ip', '0.0.0.0'],
    ['local_ip', '0.0.0.0'],
    ['local_ip', '2001:db8::1'],
    ['ip', 'x'],
    ['visitor_id', 'x'],
    ['session_id', randomUUID()],
  ] as const)
    expect((await entity(surface, type, value)).statusCode).toBe(400)
})

test('an entity without identifications is a 404', async () => {
  const surface = await accountSurface()
  await storeVisit(surface)
  expect((await entity(surface, 'user_hid', 'nobody-seen')).statusCode).toBe(404)
})

const ids = (): Record<'device' | 'visitor' | 'cookie', string> => ({
  device: randomUUID(),
  visitor: randomUUID(),
  cookie: randomUUID(),
})

const row = (
  { device, visitor, cookie }: ReturnType<typeof ids>,
  user_hid = 'ada',
  ip = '91.0.0.1',
): EntityRow => ({
  id: 1,
  created_at: 0,
  score: 0,
  device_id: uuidBytesOrNil(device),
  visitor_id: uuidBytesOrNil(visitor),
  cookie_id: uuidBytesOrNil(cookie),
  user_hid,
  ip: ipv4ToNumber(ip) ?? null,
  ip6: null,
  web_rtc_ip: null,
  webrtc_leak_ip: null,
  country: 'Germany',
  browser: 'Chrome',
  os: 'Windows',
})

test('the entity is the first node, and each edge counts how often its nodes occur together', () => {
  const [home, work] = [ids(), ids()]
  const graph = linkGraph([row(home), row(home), row(work)], { type: 'user_hid', value: 'ada' })
  expect(graph.nodes[0]).toEqual({ type: 'user_hid', value: 'ada', identifications: 3 })
  const joined = (a: string, b: string) =>
    graph.edges.find(({ from, to }) =>
      [from, to].every((index) => [a, b].includes(graph.nodes[index]?.value ?? '')),
    )?.identifications
  expect(joined('ada', home.device)).toBe(2)
  expect(joined('ada', work.device)).toBe(1)
  expect(joined(home.device, home.cookie)).toBe(2)
  expect(joined(home.device, work.cookie)).toBeUndefined()
  expect(graph.more.device_id).toBe(0)
})

test('a line says when its nodes were last seen together', () => {
  const home = ids()
  const [newer, older] = [2_000, 1_000].map((created_at) => ({ ...row(home), created_at }))
  if (!newer || !older) throw new Error('two rows')
  const { edges } = linkGraph([newer, older], { type: 'user_hid', value: 'ada' })
  expect(new Set(edges.map(({ last_seen_at }) => last_seen_at))).toEqual(
    new Set(['1970-01-01T00:00:02.000Z']),
  )
})

test('a large graph shows the most frequent nodes and counts the others', () => {
  const rows = Array.from({ length: 40 }, (_, index) => row(ids(), `account-${index}`, `91.0.0.${index}`))
  const graph = linkGraph([row(ids(), 'often'), row(ids(), 'often'), ...rows], {
    type: 'ip',
    value: '91.0.0.1',
  })
  expect(graph.nodes.filter(({ type }) => type === 'user_hid').map(({ value }) => value)).toContain('often')
  expect(graph.nodes.filter(({ type }) => type === 'user_hid')).toHaveLength(8)
  expect(graph.more.user_hid).toBe(33)
  expect(graph.nodes.length).toBeLessThanOrEqual(41)
  expect(graph.edges.length).toBeLessThanOrEqual(90)
})

test('nil IDs and empty account names are no nodes', () => {
  const nobody = { device: NIL_UUID, visitor: NIL_UUID, cookie: NIL_UUID }
  const graph = linkGraph([row(nobody, 'anonymous')], { type: 'ip', value: '91.0.0.1' })
  expect(graph.nodes).toHaveLength(1)
  expect(graph.edges).toEqual([])
})
