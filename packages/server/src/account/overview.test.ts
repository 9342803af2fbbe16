import { randomUUID } from 'node:crypto'
import { NIL_UUID } from '@inkling/contract'
import { Overview, OverviewValues } from '@inkling/contract/account'
import { describe, expect, test } from 'vitest'
import { type AccountSurface, accountSurface } from '../../test/account/account-surface.ts'
import { fromDatacenter, overTor, storeVisit } from '../../test/account/stored-visits.ts'
import { identified } from '../../test/identified.ts'
import { countIdentifications } from '../jobs/rollups/count-identifications.ts'
import { DAY_MS, HOUR_MS } from '../lib/durations.ts'

/** The time of the surface. */
const MIDNIGHT = Date.UTC(2026, 10, 21)

const at = (atMs: number): string => new Date(atMs).toISOString()

const ask = ({ ask, tokens }: AccountSurface, path: string, query: Record<string, string>) =>
  ask({ url: `/account/domains/shop.example/overview${path}`, query, token: tokens.analyst })

async function overview(surface: AccountSurface, fromMs: number, toMs: number): Promise<Overview> {
  return Overview.parse((await ask(surface, '', { from: at(fromMs), to: at(toMs) })).json())
}

async function values(
  surface: AccountSurface,
  query: { dimension: string; sort?: string; limit?: string },
): Promise<OverviewValues> {
  const range = { from: at(MIDNIGHT - DAY_MS), to: at(MIDNIGHT) }
  return OverviewValues.parse((await ask(surface, '/values', { ...range, ...query })).json())
}

const AGENT = { name: 'Brew Buyer', category: 'shopping', claims: [] } as const

const who = (deviceId: string) => ({ identity: { deviceId, visitorId: deviceId, components: [] } })

describe('the overview', () => {
  test('counts declared agents by themselves, by name and by what is proven of them, and flags none as a bot', async () => {
    const surface = await accountSurface()
    const atMs = MIDNIGHT - 3 * HOUR_MS
    for (const standing of ['verified', 'verified', 'unknown'] as const)
      await storeVisit(surface, { atMs, agent: { ...AGENT, standing } })
    await storeVisit(surface, { atMs })
    await storeVisit(surface, { atMs: atMs - DAY_MS, agent: { ...AGENT, standing: 'signed' } })
    const counted = async () => {
      const { declared_agents, identifications } = await overview(surface, MIDNIGHT - DAY_MS, MIDNIGHT)
      const lists = []
      for (const dimension of ['agent', 'agent_identity', 'flag'])
        lists.push((await values(surface, { dimension })).values.map(({ value, share }) => [value, share]))
      return { declared_agents, identifications, lists }
    }
    const live = await counted()
    expect(live).toMatchObject({
      declared_agents: { value: 3, previous: 1 },
      identifications: { value: 4, previous: 1 },
      lists: [
        [['Brew Buyer', 0.75]],
        [
          ['verified', 0.5],
          ['unknown', 0.25],
        ],
        [],
      ],
    })
    await countIdentifications(surface.store, { settledAfterMs: 0, now: () => MIDNIGHT })
    expect(await counted()).toEqual(live)
  })

  test('has risk, bands, devices and new devices by the hour and for the day before, rolled up or not', async () => {
    const surface = await accountSurface()
    const [ada, grace] = [randomUUID(), randomUUID()]
    await storeVisit(surface, { atMs: MIDNIGHT - 30 * HOUR_MS, ...who(ada) })
    await storeVisit(surface, { atMs: MIDNIGHT - 3 * HOUR_MS, ...who(ada), ...overTor() })
    await storeVisit(surface, { atMs: MIDNIGHT - 3 * HOUR_MS + 1, ...who(grace) })
    await storeVisit(surface, { atMs: MIDNIGHT - HOUR_MS, ...who(grace) })
    await storeVisit(surface, { atMs: MIDNIGHT - HOUR_MS, ...who(NIL_UUID) })

    const live = await overview(surface, MIDNIGHT - DAY_MS, MIDNIGHT)
    expect(live).toMatchObject({
      from: at(MIDNIGHT - DAY_MS),
      to: at(MIDNIGHT),
      previous_from: at(MIDNIGHT - 2 * DAY_MS),
      previous_to: at(MIDNIGHT - DAY_MS),
      uncounted: 0,
      bucket: 'hour',
      identifications: { value: 4, previous: 1, change: null },
      devices: { value: 2, previous: 1 },
      new_devices: { value: 1, previous: 1 },
      visitors: { value: 2, previous: 1 },
      bands: { trusted: 3, dangerous: 1 },
    })
    expect(live.buckets).toHaveLength(24)
    expect(live.buckets[21]).toMatchObject({ identifications: 2, devices: 2, new_devices: 1 })
    expect(live.buckets[23]).toMatchObject({ identifications: 2, devices: 1, new_devices: 0 })
    expect(live.buckets[0]).toMatchObject({ identifications: 0, average_score: null })

    await countIdentifications(surface.store, { settledAfterMs: 0, now: () => MIDNIGHT })
    expect(await overview(surface, MIDNIGHT - DAY_MS, MIDNIGHT)).toEqual(live)
  })

  test('has a week by the day, from midnight UTC to the present hour', async () => {
    const surface = await accountSurface()
    await storeVisit(surface, { atMs: MIDNIGHT - 6 * DAY_MS })
    await storeVisit(surface, { atMs: MIDNIGHT - 13 * DAY_MS })
    surface.clock.nowMs += 60_000
    const week = await overview(surface, MIDNIGHT - 6 * DAY_MS, MIDNIGHT + DAY_MS)
    expect(week).toMatchObject({
      from: '2026-11-15T00:00:00.000Z',
      to: '2026-11-21T01:00:00.000Z',
      previous_from: '2026-11-08T00:00:00.000Z',
      previous_to: '2026-11-14T01:00:00.000Z',
      bucket: 'day',
      identifications: { value: 1, previous: 1 },
      new_devices: { value: 0, previous: 1 },
    })
    expect(week.buckets.map(({ identifications }) => identifications)).toEqual([1, 0, 0, 0, 0, 0, 0])
  })

  test('has growth only with enough to compare', async () => {
    const surface = await accountSurface()
    for (let count = 0; count < 30; count += 1) {
      await storeVisit(surface, { atMs: MIDNIGHT - 30 * HOUR_MS })
      await storeVisit(surface, { atMs: MIDNIGHT - 1, ...fromDatacenter() })
      if (count < 15) await storeVisit(surface, { atMs: MIDNIGHT - 1, ...fromDatacenter() })
    }
    const { identifications, average_score, devices } = await overview(surface, MIDNIGHT - DAY_MS, MIDNIGHT)
    expect(identifications).toEqual({ value: 45, previous: 30, change: 0.5 })
    expect(average_score).toEqual({ value: 10, previous: 0, change: 10 })
    expect(devices.change).toBeNull()
  })
})

describe('values', () => {
  test('of signals have their share and average points', async () => {
    const surface = await accountSurface()
    for (let count = 0; count < 3; count += 1) await storeVisit(surface, { atMs: MIDNIGHT - 1 })
    await storeVisit(surface, { atMs: MIDNIGHT - 1, ...fromDatacenter() })
    const signals = await values(surface, { dimension: 'signal' })
    expect(signals).toMatchObject({
      identifications: 4,
      values: [
        { value: 'datacenter_ip', share: 0.25, mean_points: 10, average_score: 10, comparable: false },
      ],
    })
    const flags = await values(surface, { dimension: 'flag' })
    expect(flags.values.map(({ value, mean_points }) => [value, mean_points])).toEqual([
      ['datacenter_ip', null],
    ])
  })

  test('sorted by risk, one bad visit of a rare source does not outrank a frequent source', async () => {
    const surface = await accountSurface()
    const from = (referrerDomain: string) => ({ traffic: { ...identified().traffic, referrerDomain } })
    for (let count = 0; count < 30; count += 1) {
      await storeVisit(surface, { atMs: MIDNIGHT - 1, ...from('calm.example') })
      await storeVisit(surface, { atMs: MIDNIGHT - 1, ...from('risky.example'), ...fromDatacenter() })
    }
    await storeVisit(surface, { atMs: MIDNIGHT - 1, ...from('rare.example'), ...overTor() })
    const sources = await values(surface, { dimension: 'referrer', sort: 'riskiest' })
    expect(sources.values.map(({ value, comparable }) => [value, comparable])).toEqual([
      ['risky.example', true],
      ['calm.example', true],
      ['rare.example', false],
    ])
    const first = await values(surface, { dimension: 'referrer', limit: '1' })
    expect(first.values.map(({ value }) => value)).toEqual(['calm.example'])
  })

  test('unknown values are counted together', async () => {
    const surface = await accountSurface()
    await storeVisit(surface, { atMs: MIDNIGHT - 1, ip: { ...identified().ip, country: '' } })
    expect((await values(surface, { dimension: 'country' })).values).toMatchObject([{ value: '', share: 1 }])
  })
})

test('an empty, future or too long range is an error', async () => {
  const surface = await accountSurface()
  for (const [from, to] of [
    [MIDNIGHT, MIDNIGHT],
    [MIDNIGHT + DAY_MS, MIDNIGHT + 2 * DAY_MS],
    [MIDNIGHT - 400 * DAY_MS, MIDNIGHT],
  ] as const)
    expect((await ask(surface, '', { from: at(from), to: at(to) })).statusCode).toBe(400)
  expect((await ask(surface, '', { from: 'yesterday', to: 'today' })).statusCode).toBe(400)
  expect((await ask(surface, '/values', { from: at(MIDNIGHT - 1), to: at(MIDNIGHT) })).statusCode).toBe(400)
})
