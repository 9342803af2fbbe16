import { randomUUID } from 'node:crypto'
import { IdentificationScored } from '@inkling/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { domainStore } from '../../src/store/domains/domains.ts'
import { postSnapshot, startTestServer } from '../running-server.ts'
import { type Receiver, startWebhookReceiver } from '../webhook-receiver.ts'
import { AUTOMATED, ordinaryBody } from './bodies.ts'
import { history, historyPage, identify, rowOf } from './callers.ts'
import { operate } from './operator.ts'
import { ADDRESSES, from, ROOMY_SETTINGS } from './roomy-settings.ts'

let server: Awaited<ReturnType<typeof startTestServer>>
let receivers: (Receiver & { close(): void })[]

beforeAll(async () => {
  receivers = [await startWebhookReceiver(), await startWebhookReceiver()]
  server = await startTestServer({
    settings: ROOMY_SETTINGS,
    endpoints: receivers.map(({ url }) => url),
  })
})
afterAll(async () => {
  await server.close()
  for (const receiver of receivers) receiver.close()
})

const remaining = () =>
  operate(
    server,
    async ({ store, domainId }) => (await domainStore(store.reads).findById(domainId))?.remaining,
  )

const eventsOf = (requestId: string) =>
  receivers.map(({ received }) =>
    received.filter(
      ({ body }) => IdentificationScored.parse(JSON.parse(body.toString())).data.request_id === requestId,
    ),
  )

test('1.1 the browser gets its address, and no score, visitor ID or device ID', async () => {
  const answer = await postSnapshot(server, randomUUID(), ordinaryBody(), from(ADDRESSES.home))
  expect(answer.status).toBe(200)
  expect(await answer.text()).toBe('"91.0.0.1"')
})

test('1.2 the result is a score of 0 to 100, signals, flags and the six identifiers', async () => {
  const requestId = randomUUID()
  await identify(server, requestId, ordinaryBody({ user_hid: 'u-1' }, AUTOMATED), from(ADDRESSES.hosting))
  const row = await rowOf(server, requestId)
  expect(row.score).toBe(70)
  expect(Number.isInteger(row.score)).toBe(true)
  expect(JSON.parse(row.score_details)).toEqual([
    { Value: 60, Description: 'Browser Automation' },
    { Value: 10, Description: 'Is datacenter' },
  ])
  expect(row).toMatchObject({ is_browser_automation: true, is_datacenter: true, user_hid: 'u-1' })
  for (const id of ['request_id', 'session_id', 'cookie_id', 'device_id', 'visitor_id'] as const)
    expect(row[id]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('1.3 both read paths return the same identification; each enabled endpoint gets one event', async () => {
  const requestId = randomUUID()
  const before = receivers.map(({ received }) => received.length)
  await identify(server, requestId, ordinaryBody({}, AUTOMATED))
  const row = await rowOf(server, requestId)
  for (const [index, receiver] of receivers.entries()) await receiver.count((before[index] ?? 0) + 1)

  for (const deliveries of eventsOf(requestId)) {
    expect(deliveries).toHaveLength(1)
    const { data } = IdentificationScored.parse(JSON.parse(deliveries[0]?.body.toString() ?? ''))
    expect(data).toMatchObject({
      request_id: row.request_id,
      visitor_id: row.visitor_id,
      device_id: row.device_id,
      session_id: row.session_id,
      cookie_id: row.cookie_id,
      risk_score: row.score,
    })
  }
})

test('1.5 before an identification is scored, History answers 200 without rows', async () => {
  const answer = await history(server, `request_id/${randomUUID()}`)
  expect(answer.status).toBe(200)
  expect(answer.text).toBe('{"data":[],"total":0}\n')
})

test('1.5 the row is there within three seconds of the browser call', async () => {
  const requestId = randomUUID()
  const sentAt = performance.now()
  await identify(server, requestId, ordinaryBody())
  await rowOf(server, requestId)
  expect(performance.now() - sentAt).toBeLessThan(3_000)
})

test('1.7 identifications use the volume; reads, webhooks and duplicates do not', async () => {
  const before = (await remaining()) ?? 0
  const requestId = randomUUID()
  await identify(server, requestId, ordinaryBody())
  await identify(server, requestId, ordinaryBody())
  await historyPage(server, 'latest/all')
  await history(server, 'request_id/abc')
  expect(await remaining()).toBe(before - 1)
})

test('1.7 a visit without JavaScript, which no agent identified, uses no volume and is stored', async () => {
  const domainRow = () =>
    operate(server, ({ store, domainId }) => domainStore(store.reads).findById(domainId))
  const before = await domainRow()
  const beacon = await fetch(`${server.url}/noscript?publicKey=${server.keys.public_key}`, {
    headers: { referer: 'https://shop.example/' },
  })
  expect(beacon.status).toBe(200)
  const after = await domainRow()
  expect(after?.remaining).toBe(before?.remaining)
  expect(after?.stored_bytes).toBeGreaterThan(before?.stored_bytes ?? 0)
})

test('1.8 no band is on the wire', async () => {
  const requestId = randomUUID()
  const before = receivers[0]?.received.length ?? 0
  await identify(server, requestId, ordinaryBody({}, AUTOMATED))
  const delivered = await receivers[0]?.count(before + 1)
  for (const text of [
    (await history(server, `request_id/${requestId}`)).text,
    String(delivered?.at(-1)?.body),
  ])
    expect(text).not.toMatch(/band|trusted|suspicious"|dangerous/)
})

test('1.10 the score is between 0 and 100, whatever its signals add up to', async () => {
  const { data } = await historyPage(server, 'latest/all?limit=100')
  for (const { score } of data) {
    expect(score).toBeGreaterThanOrEqual(0)
    expect(score).toBeLessThanOrEqual(100)
  }
})
