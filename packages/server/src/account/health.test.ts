import { SystemHealth } from '@inkling/contract/account'
import { expect, test } from 'vitest'
import { accountSurface } from '../../test/account/account-surface.ts'
import { overTor, storeDelivery, storeVisit } from '../../test/account/stored-visits.ts'
import { createLatencyRecord } from '../telemetry/running-state.ts'
import { type HealthFacts, healthChecks } from './health-checks.ts'

const NOW_MS = Date.UTC(2026, 10, 21)

const well = (): HealthFacts => ({
  nowMs: NOW_MS,
  database: { bytes: 1e8, rows: 10_000, rows_last_day: 1_000, bytes_per_day: 1e7, free_bytes: 5e10 },
  events: { waiting: 0, overdue_ms: 0, sends_last_hour: 100, delivered_share: 1, endpoints: [] },
  ingest: [{ at: '2026-11-20T23:59:00.000Z', identifications: 60, p50_ms: 5, p99_ms: 20 }],
  domains: [
    { domain: 'shop.example', remaining: 500_000, has_volume: true, identifications_last_day: 1_000 },
  ],
  retention: { days: 90, last_run_at: '2026-11-20T23:30:00.000Z', removed: 4 },
  diskLimits: [{ of: 'free space', bytes: 5e10, limitBytes: 256e6, state: 'ok' }],
  sources: [{ source: 'kernel', available: true, reason: '' }],
  installation: [{ check: 'node', ok: true, detail: 'v26' }],
  feeds: [{ feed: 'tor_exits', state: 'current' }],
})

test('without problems no check has advice', () => {
  for (const { state, advice } of healthChecks(well())) expect([state, advice]).toEqual(['ok', null])
})

const { database, events, domains } = well()
const CASES: [string, 'warn' | 'problem', Partial<HealthFacts>][] = [
  ['disk', 'warn', { database: { ...database, free_bytes: 6e9, bytes_per_day: 1e9 } }],
  ['disk', 'problem', { database: { ...database, free_bytes: 1e8 } }],
  ['webhook events', 'warn', { events: { ...events, waiting: 3, overdue_ms: 2 * 60_000 } }],
  ['webhook events', 'problem', { events: { ...events, waiting: 3, overdue_ms: 20 * 60_000 } }],
  [
    'webhook endpoints',
    'warn',
    { events: { ...events, endpoints: [{ endpoint_id: 1, domain: 'shop.example', state: 'failing' }] } },
  ],
  [
    'webhook endpoints',
    'problem',
    { events: { ...events, endpoints: [{ endpoint_id: 1, domain: 'shop.example', state: 'disabled' }] } },
  ],
  ['webhook delivery', 'warn', { events: { ...events, delivered_share: 0.9 } }],
  ['webhook delivery', 'problem', { events: { ...events, delivered_share: 0.2 } }],
  ['acknowledgement', 'warn', { ingest: [{ at: '', identifications: 1, p50_ms: 5, p99_ms: 700 }] }],
  ['acknowledgement', 'problem', { ingest: [{ at: '', identifications: 1, p50_ms: 5, p99_ms: 9_000 }] }],
  ['feeds', 'warn', { feeds: [] }],
  ['feeds', 'warn', { feeds: [{ feed: 'a', state: 'failed' }] }],
  ['feeds', 'problem', { feeds: [{ feed: 'a', state: 'stale' }] }],
  ['retention', 'warn', { retention: { days: 90, last_run_at: '2026-11-20T12:00:00.000Z', removed: 0 } }],
  ['volume of shop.example', 'warn', { domains: domains.map((one) => ({ ...one, remaining: 0 })) }],
  ['volume of shop.example', 'warn', { domains: domains.map((one) => ({ ...one, remaining: 6_000 })) }],
  ['evidence: kernel', 'warn', { sources: [{ source: 'kernel', available: false, reason: 'not here' }] }],
  ['node', 'problem', { installation: [{ check: 'node', ok: false, detail: 'too old' }] }],
]

test.each(CASES)('%s: a %s comes first and has advice', (check, state, change) => {
  const [first, ...others] = healthChecks({ ...well(), ...change })
  expect(first).toEqual({ check, state, detail: expect.any(String), advice: expect.stringMatching(/\w/) })
  expect(others.every((other) => other.state === 'ok')).toBe(true)
})

test('a volume that nobody set is not checked, and warns nobody', () => {
  const unset = domains.map((one) => ({ ...one, remaining: -1, has_volume: false }))
  const names = healthChecks({ ...well(), domains: unset }).map(({ check, state }) => [check, state])
  expect(names).not.toContainEqual(['volume of shop.example', expect.anything()])
  expect(names.every(([, state]) => state === 'ok')).toBe(true)
})

test.each<[string, Partial<HealthFacts>]>([
  ['webhook delivery', { events: { ...events, sends_last_hour: 3, delivered_share: 0 } }],
  ['webhook delivery', { events: { ...events, sends_last_hour: 0, delivered_share: null } }],
  ['acknowledgement', { ingest: [] }],
  ['retention', { retention: { days: 0, last_run_at: null, removed: null } }],
  ['retention', { retention: { days: 90, last_run_at: null, removed: null } }],
])('%s: too few figures cause no warning', (_check, change) => {
  expect(healthChecks({ ...well(), ...change }).every(({ state }) => state === 'ok')).toBe(true)
})

test('analysts can read the counts of rows, events and ingest', async () => {
  const surface = await accountSurface()
  const { ask, clock, tokens } = surface
  const read = async () =>
    SystemHealth.strict().parse((await ask({ url: '/account/health', token: tokens.analyst })).json())
  expect(await read()).toMatchObject({ database: { rows: 0, bytes_per_day: 0 }, events: { waiting: 0 } })
  const sent = await storeVisit(surface, overTor())
  await storeDelivery(surface, sent)
  await storeVisit(surface)
  clock.nowMs += 70_000
  expect(await read()).toMatchObject({
    database: { rows: 2, rows_last_day: 2, bytes_per_day: 1_000_000 },
    events: { waiting: 1, overdue_ms: 60_000, sends_last_hour: 1, delivered_share: 1 },
    domains: [{ domain: 'shop.example', remaining: 999_998, has_volume: false, identifications_last_day: 2 }],
    follow_ups: 0,
    retention: { days: 90, last_run_at: null },
  })
})

test('a disk budget warns before visits are refused, and says when they are', () => {
  const of = 'shop.example'
  const checkOf = (state: 'near' | 'full', bytes: number) =>
    healthChecks({ ...well(), diskLimits: [{ of, bytes, limitBytes: 1e9, state }] }).find(
      ({ check }) => check === 'disk budget of shop.example',
    )
  expect(checkOf('near', 9e8)).toMatchObject({ state: 'warn', detail: '900.0 MB of 1.0 GB' })
  expect(checkOf('full', 1e9)).toMatchObject({
    state: 'problem',
    detail: '1.0 GB of 1.0 GB: visits are refused',
  })
})

test('ingest is counted by the minute', async () => {
  const { running, latency } = runningWith()
  const { ask, clock } = await accountSurface({ running })
  latency.add(clock.nowMs - 60_000, 4)
  const { ingest } = (await ask({ url: '/account/health' })).json()
  expect(ingest).toHaveLength(10)
  expect(ingest.at(-1)).toEqual({ at: '2026-11-20T23:59:00.000Z', identifications: 1, p50_ms: 4, p99_ms: 4 })
})

function runningWith() {
  const latency = createLatencyRecord()
  const running = {
    version: '1.2.3',
    startedAtMs: NOW_MS,
    latency,
    followUps: () => 0,
    sources: [],
    installation: () => Promise.resolve([]),
    storage: () => Promise.resolve({ bytes: 0, freeBytes: 1e10 }),
    diskLimits: () => [],
    retention: { days: 0, last: () => undefined },
  }
  return { running, latency }
}
