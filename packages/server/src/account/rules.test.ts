import { BackTest, DomainRules, LatestBackTest } from '@inkling/contract/account'
import { expect, test, vi } from 'vitest'
import { accountSurface } from '../../test/account/account-surface.ts'
import { fromDatacenter, overTor, storeVisit } from '../../test/account/stored-visits.ts'
import { createWeightsBackTests } from '../jobs/rescore/weights-back-tests.ts'
import { domainStore } from '../store/domains/domains.ts'

const URL = '/account/domains/shop.example/rules'
const BACK_TEST = '/account/domains/shop.example/back-test'

async function shop() {
  const surface = await accountSurface()
  const { ask, store, tokens } = surface
  return {
    ...surface,
    rules: async () => DomainRules.strict().parse((await ask({ url: URL, token: tokens.analyst })).json()),
    save: (payload: object, token = tokens.owner) => ask({ method: 'POST', url: URL, payload, token }),
    choose: (version: number | null) => ask({ method: 'PATCH', url: URL, payload: { version } }),
    start: (payload: object) => ask({ method: 'POST', url: BACK_TEST, payload }),
    latest: async () =>
      LatestBackTest.strict().parse((await ask({ url: BACK_TEST, token: tokens.analyst })).json()).back_test,
    rows: () => store.reads.selectFrom('identifications').select(['id', 'ver', 'score', 'verdict']).execute(),
  }
}

const weightOf = ({ signals }: DomainRules, name: string) =>
  signals.find((signal) => signal.name === name)?.weight

test('a domain starts with the weights of the release', async () => {
  const { rules } = await shop()
  const { active, signals, versions, suppressions } = await rules()
  expect([active, versions]).toEqual([null, []])
  expect(signals.every(({ weight, release_weight }) => weight === release_weight)).toBe(true)
  expect(signals.every(({ title, meaning }) => title !== '' && meaning !== '')).toBe(true)
  expect(suppressions.find(({ by }) => by === 'vpn')?.silences).toContain('proxy')
})

test('saved weights count at once, and every version keeps its author, time and note', async () => {
  const { rules, save, directory, clock } = await shop()
  expect((await save({ weights: { vpn: 5 }, note: 'travellers' })).statusCode).toBe(200)
  clock.nowMs += 1_000
  await save({ weights: { vpn: 0, tor: 50 } })
  expect(directory.byName('shop.example')?.ownRules).toEqual({ version: 2, weights: { vpn: 0, tor: 50 } })
  const after = await rules()
  expect([after.active, weightOf(after, 'vpn'), weightOf(after, 'tor'), weightOf(after, 'proxy')]).toEqual([
    2, 0, 50, 10,
  ])
  expect(after.versions).toEqual([
    expect.objectContaining({ version: 2, weights: { vpn: 0, tor: 50 }, note: '' }),
    {
      version: 1,
      saved_at: '2026-11-21T00:00:00.000Z',
      actor: 'owner@shop.example',
      note: 'travellers',
      weights: { vpn: 5 },
    },
  ])
})

test('an earlier version and the weights of the release can be chosen; each change is in the audit log', async () => {
  const { rules, save, choose, directory, actions, ask } = await shop()
  await save({ weights: { vpn: 5 } })
  await save({ weights: { vpn: 9 } })
  await choose(1)
  expect(directory.byName('shop.example')?.ownRules?.version).toBe(1)
  await choose(null)
  expect(directory.byName('shop.example')?.ownRules).toBeUndefined()
  expect((await rules()).versions).toHaveLength(2)
  expect((await choose(7)).statusCode).toBe(404)
  expect(await actions()).toEqual([
    'rules.choose',
    'rules.choose',
    'rules.save',
    'rules.save',
    expect.any(String),
    expect.any(String),
  ])
  const [newest] = (await ask({ url: '/account/audit' })).json().data
  expect(newest).toMatchObject({ actor: 'owner@shop.example', detail: { version: 'release' } })
})

test.each([{ vpn: 30 }, { vpn: -1 }, { tor: 101 }, { bygone: 1 }, { stun_late_correction: 0 }])(
  'weights out of bounds are refused by their name: %j',
  async (weights) => {
    const { save, start, rules } = await shop()
    for (const answer of [await save({ weights }), await start({ weights })]) {
      expect(answer.statusCode).toBe(400)
      expect(answer.json().error).toContain('weights')
    }
    expect((await rules()).versions).toEqual([])
  },
)

test('a back-test reports the effect of other weights, with samples, and changes nothing', async () => {
  const surface = await shop()
  const { start, latest, rows } = surface
  const tor = await storeVisit(surface, overTor())
  await storeVisit(surface, fromDatacenter())
  await storeVisit(surface)
  const before = await rows()
  const started = BackTest.strict().parse((await start({ weights: { tor: 40, datacenter_ip: 0 } })).json())
  expect(started.state).toBe('running')
  await vi.waitUntil(async () => (await latest())?.state === 'done', { timeout: 20_000 })
  expect(await latest()).toMatchObject({
    done: 3,
    total: 3,
    report: {
      identifications: 3,
      matrix: {
        trusted: { trusted: 2, suspicious: 0, dangerous: 0 },
        suspicious: { trusted: 0, suspicious: 0, dangerous: 0 },
        dangerous: { trusted: 0, suspicious: 1, dangerous: 0 },
      },
      signals: expect.arrayContaining([
        { name: 'tor', before: { hits: 1, points: 99 }, after: { hits: 1, points: 40 } },
        { name: 'datacenter_ip', before: { hits: 1, points: 10 }, after: { hits: 0, points: 0 } },
      ]),
      samples: [{ request_id: tor.requestId, score: { before: 99, after: 40 } }],
    },
  })
  expect(await rows()).toEqual(before)
})

test('a back-test reads the requested number of newest visits of the requested days', async () => {
  const surface = await shop()
  const { clock, start, latest } = surface
  await storeVisit(surface, { atMs: clock.nowMs - 8 * 86_400_000 })
  for (const minutes of [30, 20, 10]) await storeVisit(surface, { atMs: clock.nowMs - minutes * 60_000 })
  const totalOf = async (payload: object) => {
    await start({ weights: {}, ...payload })
    await vi.waitUntil(async () => (await latest())?.state === 'done', { timeout: 20_000 })
    return (await latest())?.report?.identifications
  }
  expect(await totalOf({ days: 7 })).toBe(3)
  expect(await totalOf({ days: 9 })).toBe(4)
  expect(await totalOf({ days: 9, visits: 2 })).toBe(2)
})

test('a domain runs one back-test at a time; after a cancel the next one can start', async () => {
  const surface = await shop()
  const { store, rows, clock } = surface
  for (let index = 0; index < 20; index += 1) await storeVisit(surface, overTor())
  const before = await rows()
  const domain = await domainStore(store.reads).find('shop.example')
  if (!domain) throw new Error('no domain')
  const tests = createWeightsBackTests({
    store,
    lookUpIp: () => overTor().ip,
    now: () => clock.nowMs,
    warn: expect.unreachable,
  })
  const request = { weights: { tor: 0 }, days: 30, visits: 100 }
  expect((await tests.start(domain, request))?.state).toBe('running')
  expect(await tests.start(domain, request)).toBeUndefined()
  await tests.cancel(domain.id)
  expect(await tests.latest(domain.id)).toMatchObject({ state: 'cancelled', body: { report: null } })
  expect(await rows()).toEqual(before)
  await tests.start(domain, request)
  await vi.waitUntil(async () => (await tests.latest(domain.id))?.state === 'done', { timeout: 20_000 })
  await tests.cancel(domain.id)
  expect((await tests.latest(domain.id))?.state).toBe('done')
})

test('of two back-tests started at once one is a conflict; a cancel without a test does nothing', async () => {
  const surface = await shop()
  const { start, latest, ask } = surface
  for (let index = 0; index < 20; index += 1) await storeVisit(surface, overTor())
  const answers = await Promise.all([start({ weights: { tor: 0 } }), start({ weights: { tor: 1 } })])
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  await vi.waitUntil(async () => (await latest())?.state === 'done', { timeout: 20_000 })
  expect((await ask({ method: 'DELETE', url: BACK_TEST })).statusCode).toBe(204)
  expect((await latest())?.state).toBe('done')
})

test('an analyst can read and change nothing', async () => {
  const { ask, tokens, rules } = await shop()
  const token = tokens.analyst
  for (const [method, url, payload] of [
    ['POST', URL, { weights: { vpn: 1 } }],
    ['PATCH', URL, { version: null }],
    ['POST', BACK_TEST, { weights: {} }],
    ['DELETE', BACK_TEST, undefined],
  ] as const)
    expect((await ask({ method, url, token, ...(payload && { payload }) })).statusCode).toBe(403)
  expect((await rules()).active).toBeNull()
})

test('a domain does not see the back-test of another', async () => {
  const { start, ask } = await shop()
  await ask({ method: 'POST', url: '/account/domains', payload: { domain: 'blog.example' } })
  await start({ weights: {} })
  const other = await ask({ url: '/account/domains/blog.example/back-test' })
  expect(other.json()).toEqual({ back_test: null })
})
