import { randomUUID } from 'node:crypto'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { getHistory, postSnapshot } from '../../test/running-server.ts'
import { measuredServer, readScrape } from '../../test/scrape.ts'
import { webhookReceiver } from '../../test/webhook-receiver.ts'
import { domainStore } from '../store/domains/domains.ts'
import { stateMetrics } from './state-metrics.ts'
import { jobMetrics } from './work-metrics.ts'

test('every identification is counted by its outcome', async () => {
  const server = await measuredServer({ settings: { INGEST_LIMIT_PER_MINUTE: '4' } })
  const requestId = randomUUID()
  await postSnapshot(server, requestId)
  await postSnapshot(server, requestId)
  await postSnapshot(server, randomUUID(), 'no JSON')
  await postSnapshot(server, 'no-uuid')
  await postSnapshot(server, randomUUID())
  await postSnapshot({ ...server, keys: { ...server.keys, public_key: 'f'.repeat(32) } }, randomUUID())
  await postSnapshot(server, randomUUID(), 'x'.repeat(600_000))

  const { value } = await server.scrape()
  const count = (outcome: string) => value(`inkling_identifications_total{outcome="${outcome}"}`)
  expect(
    Object.fromEntries(
      ['stored', 'duplicate', 'over_limit', 'invalid_request', 'unauthorized', 'too_large', 'failed'].map(
        (outcome) => [outcome, count(outcome)],
      ),
    ),
  ).toEqual({
    stored: 1,
    duplicate: 1,
    over_limit: 1,
    invalid_request: 2,
    unauthorized: 1,
    too_large: 1,
    failed: 0,
  })
  expect(value('inkling_acknowledgment_seconds_count')).toBe(1)
  expect(value('inkling_requests_total{surface="ingest",status="200"}')).toBe(3)
  expect(value('inkling_rate_limited_total{surface="ingest"}')).toBe(1)
  expect(value('inkling_commit_seconds_count{operation="identification"}')).toBe(3)
  expect(value('inkling_commit_batch_operations_sum')).toBeGreaterThanOrEqual(3)
  expect(value('inkling_commit_waiting')).toBe(0)
})

test('a refused webhook request and the waiting event are counted', async () => {
  const receiver = await webhookReceiver(() => 500)
  const server = await measuredServer({
    endpoints: [receiver.url],
    settings: { WEBHOOK_RETRIES: '1', FOLLOW_UP_SECONDS: '0' },
  })
  await postSnapshot(server, randomUUID())
  await receiver.count(1)
  await expect
    .poll(async () => (await server.scrape()).value('inkling_webhook_sends_total{outcome="refused"}'))
    .toBe(1)
  const { value } = await server.scrape()
  expect(value('inkling_outbox_events')).toBe(1)
  expect(value('inkling_webhook_send_seconds_count')).toBe(1)
})

test('a History request is counted by surface and status', async () => {
  const server = await measuredServer({ settings: { HISTORY_LIMIT_PER_SECOND: '1' } })
  await getHistory(server, `request_id/${randomUUID()}`)
  await getHistory(server, `request_id/${randomUUID()}`)
  const { value } = await server.scrape()
  expect(value('inkling_requests_total{surface="history",status="200"}')).toBe(1)
  expect(value('inkling_requests_total{surface="history",status="429"}')).toBe(1)
  expect(value('inkling_rate_limited_total{surface="history"}')).toBe(1)
})

test('visitors cannot reach the metrics, and the metrics port serves nothing else', async () => {
  const server = await measuredServer()
  expect((await fetch(`${server.url}/metrics`)).status).toBe(404)
  for (const path of ['/', '/health', '/metrics/', '/account/me'])
    expect((await fetch(new URL(path, server.metricsUrl))).status).toBe(404)
  expect((await fetch(server.metricsUrl, { method: 'POST' })).status).toBe(404)
})

test('labels contain registered domains and nothing that a visitor sends', async () => {
  const server = await measuredServer()
  await fetch(`${server.url}/marker-path?marker-query`)
  await fetch(`${server.url}/api/v1/history/marker-type/marker-value`)
  await postSnapshot(server, 'marker-id', '{}', {
    origin: 'https://marker.example',
    'user-agent': 'marker-ua',
  })
  const { text } = await server.scrape()
  expect(text).not.toMatch(/marker|127\.0\.0\.1/)
  // Nobody set a volume, so none can run out.
  expect(text).not.toContain('inkling_domain_remaining{')

  const domain = await domainStore(server.store.reads).find('shop.example')
  await domainStore(server.store.writes).change(domain?.id ?? 0, { remaining: 5 })
  const { value } = await server.scrape()
  expect(value('inkling_domain_remaining{domain="shop.example"}')).toBe(5)
})

test('a database that does not respond costs only its own gauges', async () => {
  const registry = new Registry()
  stateMetrics(registry, {
    version: '1',
    now: () => 60_000,
    followUps: () => 3,
    network: () => ({
      connections: 1,
      waitingBytes: 0,
      channels: 0,
      unfinishedBytes: 0,
      evidenceBytes: 0,
    }),
    webhooks: () => ({ queued: 0, sending: 0 }),
    outbox: () => Promise.reject(new Error('gone')),
    endpoints: () => Promise.reject(new Error('gone')),
    storage: () => Promise.resolve({ bytes: 5, freeBytes: undefined }),
    diskLimits: () => [],
    domains: () => Promise.reject(new Error('gone')),
    feeds: () => [{ feed: 'tor', state: 'stale', rows: 7, updatedAt: 10_000 }],
    changeFeedDelayMs: () => Promise.reject(new Error('gone')),
    coldObjects: () => Promise.reject(new Error('gone')),
  })
  await registry.metrics()
  const { value } = readScrape(await registry.metrics())
  expect(value('inkling_follow_ups_open')).toBe(3)
  expect(value('inkling_database_bytes')).toBe(5)
  expect(value('inkling_database_free_bytes')).toBeUndefined()
  expect(value('inkling_outbox_events')).toBeUndefined()
  expect(value('inkling_feed_age_seconds{feed="tor"}')).toBe(50)
  expect(value('inkling_feed_state{feed="tor",state="stale"}')).toBe(1)
  expect(value('inkling_state_unread_total{metric="inkling_outbox_events"}')).toBeGreaterThan(0)
})

test('a job counts its failures and has the time of its last success', async () => {
  const registry = new Registry()
  const { watchedJob } = jobMetrics(registry)
  const failure = new Error('no')
  await watchedJob('patterns', () => Promise.resolve())()
  const { value: before } = readScrape(await registry.metrics())
  await expect(watchedJob('patterns', () => Promise.reject(failure))()).rejects.toBe(failure)
  const { value } = readScrape(await registry.metrics())
  const lastSuccess = 'inkling_job_last_success_timestamp_seconds{job="patterns"}'
  expect(value('inkling_job_runs_total{job="patterns",outcome="done"}')).toBe(1)
  expect(value('inkling_job_runs_total{job="patterns",outcome="failed"}')).toBe(1)
  expect(value(lastSuccess)).toBeGreaterThan(0)
  expect(value(lastSuccess)).toBe(before(lastSuccess))
})
