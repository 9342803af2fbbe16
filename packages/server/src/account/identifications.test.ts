import { randomUUID } from 'node:crypto'
import { HistoryRow, NIL_UUID } from '@inkling/contract'
import { IdentificationCount, IdentificationDetail, IdentificationList } from '@inkling/contract/account'
import { describe, expect, test } from 'vitest'
import { type AccountSurface, accountSurface } from '../../test/account/account-surface.ts'
import { directFrom, overTor, storeDelivery, storeVisit } from '../../test/account/stored-visits.ts'
import { identified } from '../../test/identified.ts'
import { storeLaterVersion } from '../../test/store-later-version.ts'
import { score } from '../score/score.ts'
import { identificationRow } from '../store/identifications/identification-row.ts'
import { csvLine } from './streamed-rows.ts'

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
  const agent = { standing: 'signed', name: 'Brew Buyer', category: 'shopping', claims: [] } as const
  const other = {
    ...ids,
    agent,
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
    ['agent_identity', 'signed'],
    ['agent_identity', 'any'],
    ['agent_category', 'shopping'],
    ['agent', 'Brew Buyer'],
  ])('%s finds the rows that have it, and no others', async (name, value) => {
    const surface = await accountSurface()
    await storeVisit(surface)
    const { ip } = overTor()
    const { requestId } = await storeVisit(surface, { ...other, ip: { ...ip, country: '' } })
    expect(await found(surface, { [name]: value })).toEqual([requestId])
  })

  test('agents are told apart by what is proven of them, and named beside the rows that declare them', async () => {
    const surface = await accountSurface()
    await storeVisit(surface)
    const { requestId } = await storeVisit(surface, other)
    await storeVisit(surface, { agent: { ...agent, standing: 'unknown' } })
    expect(await found(surface, { agent_identity: 'verified' })).toEqual([])
    expect(await found(surface, { agent_identity: 'signed', sort: 'riskiest' })).toEqual([requestId])
    expect(await found(surface, { agent_identity: 'any' })).toHaveLength(2)
    const { agents, data } = await search(surface)
    expect(data).toHaveLength(3)
    expect(Object.keys(agents)).toHaveLength(2)
    expect(agents[requestId]).toEqual({ identity: 'signed', category: 'shopping', name: 'Brew Buyer' })
  })

  test('request_id finds one row, in upper or lower case', async () => {
    const surface = await accountSurface()
    await storeVisit(surface)
    const { requestId } = await storeVisit(surface)
    expect(await found(surface, { request_id: requestId.toUpperCase() })).toEqual([requestId])
  })

  test('score_max and band include both ends', async () => {
    const surface = await accountSurface()
    const calm = await storeVisit(surface)
    const risky = await storeVisit(surface, overTor())
    const [{ score: lower } = { score: -1 }] = (await search(surface, { sort: 'safest' })).data
    expect(await found(surface, { score_max: String(lower) })).toEqual([calm.requestId])
    expect(await found(surface, { score_min: String(lower + 1) })).toEqual([risky.requestId])
    expect(await found(surface, { band: 'dangerous', score_max: '59' })).toEqual([])
    expect(await found(surface, { band: 'rate_limited' })).toEqual([])
  })

  test('from is inclusive and to is exclusive', async () => {
    const surface = await accountSurface()
    const start = surface.clock.nowMs
    const visits = []
    for (const offset of [0, 1_000, 2_000]) visits.push(await storeVisit(surface, { atMs: start + offset }))
    const time = (offset: number) => new Date(start + offset).toISOString()
    expect(await found(surface, { from: time(1_000), to: time(2_000) })).toEqual([visits[1]?.requestId])
    expect(await found(surface, { from: '2026-11-21T02:00:01+02:00' })).toHaveLength(2)
  })

  test('several filters must all match', async () => {
    const surface = await accountSurface()
    await storeVisit(surface, { userHid: 'ada' })
    await storeVisit(surface, overTor())
    const { requestId } = await storeVisit(surface, { ...overTor(), userHid: 'ada' })
    expect(await found(surface, { user_hid: 'ada', flag: 'tor' })).toEqual([requestId])
  })

  test('a signal matches entries and no other text', async () => {
    const surface = await accountSurface()
    await storeVisit(surface)
    await surface.store.writes
      .updateTable('identifications')
      .set({ verdict: '{"entries":[{"name":"vpn","evidence":{"name":"tor"}}],"clear":[],"unknown":[]}' })
      .execute()
    expect(await found(surface, { signal: 'tor' })).toEqual([])
    expect(await found(surface, { signal: 'vpn' })).toHaveLength(1)
  })

  test('with several values matches any of them, and a negated one none', async () => {
    const surface = await accountSurface()
    const visits: Record<string, string> = {}
    for (const country of ['Germany', 'France', 'Spain', '']) {
      const { ip } = identified()
      visits[country] = (await storeVisit(surface, { ip: { ...ip, country } })).requestId
    }
    const ids = (countries: string[]) => countries.map((country) => visits[country]).toSorted()
    for (const [query, countries] of [
      ['country=Germany', ['Germany']],
      ['country=Germany&country=France', ['Germany', 'France']],
      ['country=&country=Spain', ['', 'Spain']],
      ['not_country=Germany', ['France', 'Spain', '']],
      ['not_country=Germany&not_country=', ['France', 'Spain']],
      ['country=Germany&country=France&not_country=France', ['Germany']],
    ] as const) {
      const { data } = IdentificationList.parse((await surface.ask({ url: `${PATH}?${query}` })).json())
      expect(data.map(({ request_id }) => request_id).toSorted(), query).toEqual(ids([...countries]))
      const count = IdentificationCount.parse((await surface.ask({ url: `${PATH}/count?${query}` })).json())
      expect(count, query).toEqual({ total: countries.length, complete: true })
      const file = await surface.ask({ url: `${PATH}/export?format=json&${query}` })
      expect(file.json(), query).toHaveLength(countries.length)
    }
  })

  test('an identifier with several values finds the rows of each in one order, by pages and in the file', async () => {
    const surface = await accountSurface()
    const visits: Record<string, string>[] = []
    for (const [index, userHid] of ['ada', 'ben', 'eve', 'ada', 'ben', 'ada'].entries()) {
      const { requestId } = await storeVisit(surface, { atMs: surface.clock.nowMs + index, userHid })
      visits.unshift({ userHid, requestId })
    }
    const of = (...accounts: string[]) =>
      visits.flatMap(({ userHid = '', requestId }) => (accounts.includes(userHid) ? [requestId] : []))
    const query = 'user_hid=ben&user_hid=ada&user_hid=ben&user_hid=nobody'
    const paged: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const url = `${PATH}?${query}&limit=2${cursor && `&cursor=${cursor}`}`
      const page = IdentificationList.parse((await surface.ask({ url })).json())
      paged.push(...page.data.map(({ request_id }) => request_id))
      cursor = page.next
    }
    expect(paged).toEqual(of('ada', 'ben'))
    const file: HistoryRow[] = (await surface.ask({ url: `${PATH}/export?format=json&${query}` })).json()
    expect(file.map(({ request_id }) => request_id)).toEqual(of('ada', 'ben'))
    const without = await surface.ask({ url: `${PATH}?not_user_hid=ada&not_user_hid=ben` })
    expect(IdentificationList.parse(without.json()).data.map(({ request_id }) => request_id)).toEqual(
      of('eve'),
    )
  })

  test('addresses and networks of both families are searched for together, and left out together', async () => {
    const surface = await accountSurface()
    const visits = new Map<string, string>()
    for (const address of ['192.0.2.1', '192.0.2.200', '198.51.100.7', '2001:db8::1', '2001:db9::1'])
      visits.set((await storeVisit(surface, directFrom(address))).requestId, address)
    for (const [query, addresses] of [
      ['ip=192.0.2.1&ip=2001:db8::1', ['192.0.2.1', '2001:db8::1']],
      ['ip=192.0.2.0/24&ip=192.0.2.1', ['192.0.2.1', '192.0.2.200']],
      ['ip=2001:db8::/31&ip=198.51.100.7', ['198.51.100.7', '2001:db8::1', '2001:db9::1']],
      ['not_ip=192.0.2.0/24&not_ip=2001:db8::1', ['198.51.100.7', '2001:db9::1']],
      ['ip=192.0.2.0/24&not_ip=192.0.2.1', ['192.0.2.200']],
      ['ip=::ffff:192.0.2.0/120&not_ip=::ffff:192.0.2.1', ['192.0.2.200']],
      ['ip=::ffff:0:0/96&not_ip=192.0.2.0/24', ['198.51.100.7']],
      ['ip=::ffff:198.51.100.7', ['198.51.100.7']],
      ['local_ip=192.0.2.1&local_ip=198.51.100.7', ['192.0.2.1', '198.51.100.7']],
      ['ip=192.0.2.0/24&not_local_ip=192.0.2.1', ['192.0.2.200']],
    ] as const) {
      const { data } = IdentificationList.parse((await surface.ask({ url: `${PATH}?${query}` })).json())
      expect(data.map(({ request_id }) => visits.get(request_id)).toSorted(), query).toEqual(addresses)
      const count = IdentificationCount.parse((await surface.ask({ url: `${PATH}/count?${query}` })).json())
      expect(count, query).toEqual({ total: addresses.length, complete: true })
    }
  })

  test('takes a bounded number of values, and one value where several make no sense', async () => {
    const { ask } = await accountSurface()
    const status = async (query: string) => {
      const { statusCode, body } = await ask({ url: `${PATH}?${query}` })
      return `${statusCode} ${statusCode === 200 ? '' : body}`
    }
    const many = (name: string, count: number) =>
      Array.from({ length: count }, (_, index) => `${name}=value${index}`).join('&')
    expect(await status(many('not_country', 20))).toBe('200 ')
    expect(await status(many('not_country', 21))).toMatch(/^400 .*not_country: /)
    expect(await status(many('signal', 5))).toBe('200 ')
    expect(await status(many('signal', 6))).toMatch(/^400 .*signal: /)
    expect(await status('band=trusted&band=evil')).toMatch(/^400 .*band.1: /)
    expect(await status(many('user_hid', 20))).toBe('200 ')
    expect(await status(many('not_user_hid', 21))).toMatch(/^400 .*not_user_hid: /)
    expect(await status('ip=192.0.2.1&ip=192.0.2')).toMatch(/^400 .*ip.1: /)
    expect(await status('score_min=1&score_min=2')).toMatch(/^400 .*score_min: /)
    expect(await status('not_score_min=1')).toMatch(/^400 /)
  })

  test('that is malformed or unknown is an error with its name', async () => {
    const { ask } = await accountSurface()
    for (const [name, value] of [
      ['device_id', 'x'],
      ['ip', '2001:db8::/129'],
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
      expect(answer.json().error).toMatch(/^\w+(\.0)?: ./)
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
          // Some have the same time and score, so that only the last column orders them.
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

  test('new rows do not move the rows of later pages', async () => {
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
    expect(answer.json()).toEqual({ data: [], evidence: {}, agents: {}, next: null })
  })

  test('a search for the nil device finds visits without a device', async () => {
    const surface = await accountSurface()
    await storeVisit(surface)
    const identity = { deviceId: NIL_UUID, visitorId: NIL_UUID, components: [] }
    const { requestId } = await storeVisit(surface, { identity })
    expect(await found(surface, { device_id: NIL_UUID })).toEqual([requestId])
  })
})

const DETAIL_PATH = '/account/domains/shop.example/identifications'

const detail = async ({ ask, tokens }: AccountSurface, requestId: string) =>
  IdentificationDetail.parse(
    (await ask({ url: `${DETAIL_PATH}/${requestId}`, token: tokens.analyst })).json(),
  )

test('an identification has its explanation, snapshot and pending event', async () => {
  const surface = await accountSurface()
  const { requestId, event } = await storeVisit(surface, overTor())
  const { row, band, explanation, snapshot, pending, deliveries } = await detail(surface, requestId)
  expect([row.request_id, row.is_tor, band]).toEqual([requestId, true, 'dangerous'])
  expect(explanation.entries.map(({ name }) => name)).toContain('tor')
  expect(explanation.network).toHaveProperty('syn')
  expect(snapshot).toMatchObject({ address: '91.0.0.1', body: {} })
  expect(pending).toEqual([{ endpoint_id: 1, attempts: 0, due_at: '2026-11-21T00:00:10.000Z', body: event }])
  expect(deliveries).toEqual([])
})

test('a delivery has the exact bytes and the result', async () => {
  const surface = await accountSurface()
  const visit = await storeVisit(surface)
  await storeDelivery(surface, visit, { status: null, error: 'no answer in time', attempt: 1 })
  await storeDelivery(surface, visit, { status: 204, attempt: 2 })
  const { deliveries, pending } = await detail(surface, visit.requestId)
  expect(deliveries.map(({ status, error, attempt }) => [status, error, attempt])).toEqual([
    [null, 'no answer in time', 1],
    [204, null, 2],
  ])
  for (const { body } of deliveries) expect(body).toBe(visit.event)
  expect(pending).toEqual([])
})

test('versions are in order, the current one last', async () => {
  const surface = await accountSurface()
  const { requestId } = await storeVisit(surface)
  const domain = { ...identified().domain, id: surface.domainId }
  const later = score(identified({ requestId, domain, atMs: surface.clock.nowMs, ...overTor() }))
  await storeLaterVersion(surface.store, identificationRow(later, surface.clock.nowMs + 500))
  const { versions, row } = await detail(surface, requestId)
  expect(versions.map(({ ver, flags }) => [ver - surface.clock.nowMs, flags.includes('tor')])).toEqual([
    [0, false],
    [500, true],
  ])
  expect(versions.at(-1)?.score).toBe(row.score)
  expect(versions[0]?.unknown).toContain('tor')
})

test('without a stored snapshot the rest is shown', async () => {
  const surface = await accountSurface()
  const requestId = await surface.record()
  expect(await detail(surface, requestId)).toMatchObject({ snapshot: null, versions: [{}], deliveries: [] })
})

test('an unknown ID and another domain’s are a 404, a malformed one is an error', async () => {
  const surface = await accountSurface()
  const { requestId } = await storeVisit(surface)
  await surface.ask({ method: 'POST', url: '/account/domains', payload: { domain: 'blog.example' } })
  const status = async (url: string) => (await surface.ask({ url })).statusCode
  expect(await status(`${DETAIL_PATH}/${randomUUID()}`)).toBe(404)
  expect(await status(`/account/domains/blog.example/identifications/${requestId}`)).toBe(404)
  expect(await status(`${DETAIL_PATH}/abc`)).toBe(400)
})

const EXPORT_PATH = '/account/domains/shop.example/identifications'

const exported = ({ ask, tokens }: AccountSurface, query: Record<string, string>) =>
  ask({ url: `${EXPORT_PATH}/export`, query, token: tokens.analyst })

test('JSON has every match in the requested order, more than a page', async () => {
  const surface = await accountSurface()
  for (let index = 0; index < 7; index += 1)
    await storeVisit(surface, { atMs: surface.clock.nowMs + index, ...(index === 3 ? overTor() : {}) })
  const answer = await exported(surface, { format: 'json', sort: 'oldest' })
  expect(answer.headers['content-disposition']).toBe('attachment; filename="shop.example.json"')
  const rows = HistoryRow.array().parse(answer.json())
  expect(rows.map(({ created_at }) => created_at)).toEqual(
    rows.map(({ created_at }) => created_at).toSorted(),
  )
  expect(rows).toHaveLength(7)
  expect((await exported(surface, { format: 'json', flag: 'tor' })).json()).toHaveLength(1)
  expect((await exported(surface, { format: 'json', flag: 'vpn' })).json()).toEqual([])
})

test('CSV has a header line and a line for each row', async () => {
  const surface = await accountSurface()
  await storeVisit(surface, { userHid: 'a,"b"' })
  const answer = await exported(surface, {})
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
  const [header, row, end] = answer.body.split('\r\n')
  expect(header).toBe(Object.keys(HistoryRow.shape).join(','))
  expect(row).toContain('"a,""b"""')
  expect(end).toBe('')
})

test('an export of several chunks is complete', async () => {
  const surface = await accountSurface()
  const count = 1_203
  await Promise.all(
    Array.from({ length: count }, (_, index) => storeVisit(surface, { atMs: surface.clock.nowMs + index })),
  )
  const lines = (await exported(surface, {})).body.trimEnd().split('\r\n')
  expect(new Set(lines).size).toBe(count + 1)
})

test.each([
  ['=1+1', "'=1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['-1', "'-1"],
  ['a\nb', '"a\nb"'],
  ['\n=1+1', '"\'\n\'=1+1"'],
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠SUM(1)', "'＠SUM(1)"],
  ['plain', 'plain'],
])('the text %j becomes %j', (text, cell) => {
  expect(csvLine([text, 5, true, undefined])).toBe(`${cell},5,true,\r\n`)
})
