import { randomUUID } from 'node:crypto'
import {
  EntitySummary,
  IdentificationList,
  PatternFinding,
  PatternFindingDetail,
  PatternFindings,
} from '@inkling/contract/account'
import { expect, test } from 'vitest'
import { type AccountSurface, accountSurface } from '../../test/account/account-surface.ts'
import { storeVisit } from '../../test/account/stored-visits.ts'
import { runPatterns } from '../jobs/patterns/run-patterns.ts'
import { auditStore } from '../store/users/users.ts'

const BASE = '/account/domains/shop.example'
const DEVICE = '7d3b1f52-8c4e-5a6b-9d0e-1f2a3b4c5d6e'
const VISITOR = '9a7b6c5d-4e3f-5a1b-8c2d-3e4f5a6b7c8d'

/** Runs the patterns at the time of the surface, or this many days later, when its sessions have expired. */
const look = ({ store, clock }: AccountSurface, days = 0) =>
  runPatterns(store, { settledAfterMs: 0, now: () => clock.nowMs + days * 86_400_000 })

/** Nine accounts on one device, and one account with nine devices. */
async function abusedShop(): Promise<AccountSurface> {
  const surface = await accountSurface()
  for (let index = 0; index < 9; index += 1) {
    const onDevice = { deviceId: DEVICE, visitorId: VISITOR, components: [] }
    await storeVisit(surface, { userHid: `=account-${index}`, identity: onDevice })
    const own = { deviceId: randomUUID(), visitorId: randomUUID(), components: [] }
    await storeVisit(surface, { userHid: 'sold', identity: own })
  }
  await look(surface)
  return surface
}

async function list({ ask, tokens }: AccountSurface, query: Record<string, string> = {}) {
  const answer = await ask({ url: `${BASE}/patterns`, query, token: tokens.analyst })
  return PatternFindings.parse(answer.json())
}

test('an analyst can list the findings', async () => {
  const { data, next } = await list(await abusedShop())
  expect(next).toBeNull()
  expect(
    data.map(({ pattern, entity_value, grade, count }) => [pattern, entity_value, grade, count]),
  ).toEqual([
    ['many_devices_on_account', 'sold', 'suspicious', 9],
    ['many_accounts_on_device', DEVICE, 'suspicious', 9],
  ])
})

test.each([
  [{ pattern: 'many_devices_on_account' }, 1],
  [{ pattern: 'shared_local_ip' }, 0],
  [{ grade: 'suspicious' }, 2],
  [{ grade: 'dangerous' }, 0],
  [{ state: 'resolved' }, 0],
  [{ state: 'all' }, 2],
  [{ entity_type: 'user_hid' }, 1],
  [{ entity_type: 'device_id', entity_value: DEVICE.toUpperCase() }, 1],
  [{ entity_type: 'user_hid', entity_value: 'SOLD' }, 0],
])('the filter %j finds %i', async (query, count) => {
  expect((await list(await abusedShop(), query)).data).toHaveLength(count)
})

test('a resolved finding has the time of its resolution', async () => {
  const surface = await abusedShop()
  await look(surface, 40)
  const { data } = await list(surface, { state: 'resolved' })
  expect(data.map(({ resolved_at }) => resolved_at)).toEqual(
    Array(2).fill(new Date(surface.clock.nowMs + 40 * 86_400_000).toISOString()),
  )
  expect((await list(surface)).data).toEqual([])
})

test('each finding is on one page', async () => {
  const surface = await abusedShop()
  const first = await list(surface, { limit: '1' })
  const second = await list(surface, { limit: '1', cursor: first.next ?? '' })
  expect(new Set([...first.data, ...second.data].map(({ id }) => id)).size).toBe(2)
})

test('a finding has its identifications and their common values', async () => {
  const surface = await abusedShop()
  const [found] = (await list(surface, { pattern: 'many_accounts_on_device' })).data
  const answer = await surface.ask({ url: `${BASE}/patterns/${found?.id}`, token: surface.tokens.analyst })
  const { finding, window_seconds, values, rows } = PatternFindingDetail.parse(answer.json())
  expect(finding).toEqual(found)
  expect(window_seconds).toBe(30 * 86_400)
  expect(values.device_id).toEqual([{ value: DEVICE, identifications: 9 }])
  expect(values.user_hid).toHaveLength(9)
  expect(rows.map(({ device_id }) => device_id)).toEqual(Array(9).fill(DEVICE))
})

test('an unknown finding and another domain’s are a 404', async () => {
  const surface = await abusedShop()
  expect((await surface.ask({ url: `${BASE}/patterns/999` })).statusCode).toBe(404)
  await surface.ask({ method: 'POST', url: '/account/domains', payload: { domain: 'blog.example' } })
  const answer = await surface.ask({ url: '/account/domains/blog.example/patterns/1' })
  expect([answer.statusCode, answer.json()]).toEqual([404, { error: 'no such finding' }])
})

test('the export has every match, as JSON and as CSV without formulas', async () => {
  const surface = await abusedShop()
  const ask = (format: string) => surface.ask({ url: `${BASE}/patterns/export`, query: { format } })
  const json = await ask('json')
  expect(PatternFinding.array().parse(json.json())).toEqual((await list(surface)).data)
  const csv = await ask('csv')
  expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8')
  const lines = csv.body.trimEnd().split('\r\n')
  expect(lines[0]).toBe(Object.keys(PatternFinding.shape).join(','))
  expect(lines).toHaveLength(3)
  const [entry] = await auditStore(surface.store.reads).list(undefined, 1)
  expect(entry).toMatchObject({ action: 'patterns.export', target: 'shop.example' })
})

test('identifications can be filtered by the pattern of an open finding', async () => {
  const surface = await abusedShop()
  const search = async () => {
    const query = { pattern: 'many_devices_on_account' }
    const answer = await surface.ask({ url: `${BASE}/identifications`, query })
    return IdentificationList.parse(answer.json()).data.map(({ user_hid }) => user_hid)
  }
  expect(await search()).toEqual(Array(9).fill('sold'))
  await look(surface, 40)
  expect(await search()).toEqual([])
})

test('an entity has its open findings', async () => {
  const surface = await abusedShop()
  const patterns = async (type: string, value: string) => {
    const answer = await surface.ask({ url: `${BASE}/entity`, query: { type, value } })
    return EntitySummary.parse(answer.json()).patterns.map(({ pattern }) => pattern)
  }
  expect(await patterns('device_id', DEVICE)).toEqual(['many_accounts_on_device'])
  expect(await patterns('user_hid', 'sold')).toEqual(['many_devices_on_account'])
  expect(await patterns('user_hid', '=account-1')).toEqual([])
})

test('an endpoint gets pattern events only when they are enabled', async () => {
  const surface = await accountSurface()
  const url = `${BASE}/endpoints`
  const added = await surface.ask({ method: 'POST', url, payload: { url: 'https://hooks.example/' } })
  expect(added.json()).toMatchObject({ enabled: true, pattern_events: false })
  const change = (payload: object) =>
    surface.ask({ method: 'PATCH', url: `${url}/${added.json().id}`, payload })
  expect((await change({ pattern_events: true })).json()).toMatchObject({
    enabled: true,
    pattern_events: true,
  })
  expect((await change({ enabled: false })).json()).toMatchObject({ enabled: false, pattern_events: true })
  expect((await change({})).statusCode).toBe(400)
  expect((await surface.actions())[0]).toBe('endpoint.change')
})
