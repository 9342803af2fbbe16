import { randomUUID } from 'node:crypto'
import { NIL_UUID } from '@inkling/contract'
import { IdentificationList } from '@inkling/contract/account'
import { describe, expect, test } from 'vitest'
import { type AccountSurface, accountSurface } from '../../../test/account/account-surface.ts'
import { overTor, storeVisit } from '../../../test/account/stored-visits.ts'
import { identified } from '../../../test/identified.ts'

const PATH = '/account/domains/shop.example/identifications'

const search = async ({ ask, tokens }: AccountSurface, query: Record<string, string> = {}) => {
  const answer = await ask({ url: PATH, query, token: tokens.analyst })
  expect(`${answer.statusCode} ${answer.statusCode === 200 ? '' : answer.body}`).toBe('200 ')
  return IdentificationList.parse(answer.json())
}
const found = async (surface: AccountSurface, query: Record<string, string>): Promise<string[]> =>
  (await search(surface, query)).data.map(({ request_id }) => request_id)

describe('a filter', () => {
  const ids = { sessionId: randomUUID(), cookieId: randomUUID() }
  const identity = { deviceId: randomUUID(), visitorId: randomUUID(), components: [] }
  const other = {
    ...ids,
    identity,
    userHid: 'ada',
    address: '198.51.100.7',
    client: { ...identified().client, os: 'Linux', browser: 'Firefox', deviceType: 'mobile' as const },
  }

  test.each([
    ['device_id', identity.deviceId],
    ['visitor_id', identity.visitorId.toUpperCase()],
    ['session_id', ids.sessionId],
    ['cookie_id', ids.cookieId],
    ['user_hid', 'ada'],
    ['ip', '198.51.100.7'],
    ['os', 'Linux'],
    ['browser', 'Firefox'],
    ['device_type', 'mobile'],
    ['band', 'dangerous'],
    ['score_min', '99'],
    ['flag', 'tor'],
    ['signal', 'tor'],
    ['connection_type', 'tor'],
    ['country', ''],
  ])('%s finds the rows that have it, and no others', async (name, value) => {
    const surface = await accountSurface()
    await storeVisit(surface)
    const { ip } = overTor()
    const { requestId } = await storeVisit(surface, { ...other, ip: { ...ip, country: '' } })
    expect(await found(surface, { [name]: value })).toEqual([requestId])
  })

  test('request_id finds one, in either case', async () => {
    const surface = await accountSurface()
    await storeVisit(surface)
    const { requestId } = await storeVisit(surface)
    expect(await found(surface, { request_id: requestId.toUpperCase() })).toEqual([requestId])
  })

  test('score_max and band keep to both of their ends', async () => {
    const surface = await accountSurface()
    const calm = await storeVisit(surface)
    const risky = await storeVisit(surface, overTor())
    const [{ score: lower } = { score: -1 }] = (await search(surface, { sort: 'safest' })).data
    expect(await found(surface, { score_max: String(lower) })).toEqual([calm.requestId])
    expect(await found(surface, { score_min: String(lower + 1) })).toEqual([risky.requestId])
    expect(await found(surface, { band: 'dangerous', score_max: '59' })).toEqual([])
    expect(await found(surface, { band: 'rate_limited' })).toEqual([])
  })

  test('from counts and to does not', async () => {
    const surface = await accountSurface()
    const start = surface.clock.nowMs
    const visits = []
    for (const offset of [0, 1_000, 2_000]) visits.push(await storeVisit(surface, { atMs: start + offset }))
    const time = (offset: number) => new Date(start + offset).toISOString()
    expect(await found(surface, { from: time(1_000), to: time(2_000) })).toEqual([visits[1]?.requestId])
    expect(await found(surface, { from: '2026-11-21T02:00:01+02:00' })).toHaveLength(2)
  })

  test('several must all match', async () => {
    const surface = await accountSurface()
    await storeVisit(surface, { userHid: 'ada' })
    await storeVisit(surface, overTor())
    const { requestId } = await storeVisit(surface, { ...overTor(), userHid: 'ada' })
    expect(await found(surface, { user_hid: 'ada', flag: 'tor' })).toEqual([requestId])
  })

  test('a signal is found in entries and not in what merely reads alike', async () => {
    const surface = await accountSurface()
    await storeVisit(surface)
    await surface.store.writes
      .updateTable('identifications')
      .set({ verdict: '{"entries":[{"name":"vpn","evidence":{"name":"tor"}}],"clear":[],"unknown":[]}' })
      .execute()
    expect(await found(surface, { signal: 'tor' })).toEqual([])
    expect(await found(surface, { signal: 'vpn' })).toHaveLength(1)
  })

  test('that is malformed or unknown is refused, and named', async () => {
    const { ask } = await accountSurface()
    for (const [name, value] of [
      ['device_id', 'x'],
      ['ip', '::1'],
      ['score_min', '-1'],
      ['score_min', 'high'],
      ['band', 'evil'],
      ['flag', 'nice'],
      ['signal', "tor' or 1=1"],
      ['from', 'yesterday'],
      ['sort', 'random'],
      ['limit', '0'],
      ['limit', '201'],
      ['cursor', 'x'],
      ['colour', 'red'],
    ] as const) {
      const answer = await ask({ url: PATH, query: { [name]: value } })
      expect(answer.statusCode, `${name}=${value}`).toBe(400)
      expect(answer.json().error).toMatch(/^\w+: ./)
    }
  })
})

describe('pages', () => {
  test.each(['newest', 'oldest', 'riskiest', 'safest'])(
    'of %s hold each row once and in order',
    async (sort) => {
      const surface = await accountSurface()
      const start = surface.clock.nowMs
      for (let index = 0; index < 11; index += 1)
        await storeVisit(surface, {
          // Some at the same time and with the same score, so that only the last column tells them apart.
          atMs: start + Math.floor(index / 3) * 1_000,
          ...(index % 2 === 0 ? overTor() : {}),
        })
      const rows = []
      let next: string | null = null
      do {
        const page = await search(surface, { sort, limit: '2', ...(next !== null && { cursor: next }) })
        rows.push(...page.data)
        next = page.next
      } while (next !== null)
      expect(new Set(rows.map(({ request_id }) => request_id)).size).toBe(11)
      const keys = rows.map(({ score, created_at }) =>
        sort === 'riskiest' || sort === 'safest'
          ? `${String(score).padStart(3, '0')} ${created_at}`
          : created_at,
      )
      const ascending = keys.toSorted()
      expect(keys).toEqual(sort === 'newest' || sort === 'riskiest' ? ascending.toReversed() : ascending)
    },
  )

  test('rows that come in meanwhile move none', async () => {
    const surface = await accountSurface()
    for (let index = 0; index < 4; index += 1)
      await storeVisit(surface, { atMs: surface.clock.nowMs + index })
    const first = await search(surface, { limit: '2' })
    await storeVisit(surface, { atMs: surface.clock.nowMs + 10 })
    const second = await search(surface, { limit: '2', cursor: first.next ?? '' })
    const seen = [...first.data, ...second.data].map(({ request_id }) => request_id)
    expect(new Set(seen).size).toBe(4)
  })

  test('a domain’s search never shows another domain’s rows', async () => {
    const surface = await accountSurface()
    await storeVisit(surface)
    await surface.ask({ method: 'POST', url: '/account/domains', payload: { domain: 'blog.example' } })
    const answer = await surface.ask({ url: '/account/domains/blog.example/identifications' })
    expect(answer.json()).toEqual({ data: [], next: null })
  })

  test('the nil device can be searched for: it shows who has none', async () => {
    const surface = await accountSurface()
    await storeVisit(surface)
    const identity = { deviceId: NIL_UUID, visitorId: NIL_UUID, components: [] }
    const { requestId } = await storeVisit(surface, { identity })
    expect(await found(surface, { device_id: NIL_UUID })).toEqual([requestId])
  })
})
