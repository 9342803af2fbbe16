import { randomUUID } from 'node:crypto'
import { HistoryPage, type HistoryRow, IdentificationScored } from '@inkling/contract'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { freePort } from '../src/lib/free-port.ts'
import { ordinaryBody } from './contract/bodies.ts'
import { openChannel } from './open-channel.ts'
import { passNetworkCheck } from './pass-network-check.ts'
import { getHistory, postSnapshot, runningServer, type TestServer } from './running-server.ts'
import { webhookReceiver } from './webhook-receiver.ts'

const PASSED = { network: { outcome: 'complete', answered: true } }
const UNANSWERED = { network: { outcome: 'complete', answered: false } }
const BODY = ordinaryBody({ follow_up: true })

const serverWithChecks = async (endpoints: readonly string[] = []) => {
  const turnPort = String(await freePort('127.0.0.1'))
  return runningServer({ endpoints, settings: { TURN_PORT: turnPort } })
}

const rowOf = async (server: TestServer, requestId: string): Promise<HistoryRow> => {
  const answer = await getHistory(server, `request_id/${requestId}`)
  const [row] = HistoryPage.parse(await answer.json()).data
  if (!row) throw new Error('no row')
  return row
}

test('the row exists at once, is updated when the checks are done, and the event is sent once, afterwards', async () => {
  const receiver = await webhookReceiver()
  const server = await serverWithChecks([receiver.url])
  const requestId = randomUUID()
  const channel = await openChannel(server, requestId)
  await postSnapshot(server, requestId, BODY)
  const first = await rowOf(server, requestId)
  expect(first).toMatchObject({ web_rtc_ip: '0.0.0.0', stun_flow_status: '', score: 0 })
  expect(receiver.received).toHaveLength(0)

  await passNetworkCheck(channel.task)
  channel.report(PASSED)
  const [delivery] = await receiver.count(1)
  const event = IdentificationScored.parse(JSON.parse(delivery?.body.toString() ?? ''))
  const final = await rowOf(server, requestId)
  expect(final).toMatchObject({
    web_rtc_ip: '127.0.0.1',
    webrtc_leak_source: 'none',
    stun_request_seen: true,
    is_scanner_stun_passed: true,
    stun_flow_status: 'ok',
    is_stun_not_checked: false,
    created_at: first.created_at,
    score: 0,
  })
  expect(final.ver).toBeGreaterThan(first.ver)
  expect(event.data).toMatchObject({ risk_score: 0, local_ip: { ip: '127.0.0.1' } })
})

test('if nobody has ever passed the check, its absence does not count', async () => {
  const receiver = await webhookReceiver()
  const server = await serverWithChecks([receiver.url])
  const requestId = randomUUID()
  const channel = await openChannel(server, requestId)
  await postSnapshot(server, requestId, BODY)
  channel.report(UNANSWERED)
  await receiver.count(1)
  expect(await rowOf(server, requestId)).toMatchObject({ score: 0, is_stun_not_checked: false })
})

test('a repeated request ID updates nothing and sends no event', async () => {
  const receiver = await webhookReceiver()
  const server = await serverWithChecks([receiver.url])
  const requestId = randomUUID()
  await postSnapshot(server, requestId, JSON.stringify({ version: 1, user_hid: 'first' }))
  await receiver.count(1)
  const first = await rowOf(server, requestId)

  const channel = await openChannel(server, requestId)
  const again = await postSnapshot(server, requestId, BODY)
  expect(again.status).toBe(200)
  await passNetworkCheck(channel.task)
  channel.report(PASSED)
  await channel.closed
  expect(await rowOf(server, requestId)).toEqual(first)
  expect(receiver.received).toHaveLength(1)
})

test('a snapshot that announces a channel and opens none becomes final unchanged', async () => {
  const receiver = await webhookReceiver()
  const server = await serverWithChecks([receiver.url])
  const requestId = randomUUID()
  await postSnapshot(server, requestId, BODY)
  await receiver.count(1)
  expect(await rowOf(server, requestId)).toMatchObject({ score: 0, is_stun_not_checked: false })
})

/** A click of a program. */
const CLICKED = {
  moves: 1,
  moves_before_click: 1,
  clicks: 1,
  unfocused: 1,
  centred: 1,
  hold_ms: 1,
  keys: 0,
  key_gap_ms: null,
}

test("the visitor's input updates the row after the event was sent, without a second event", async () => {
  const receiver = await webhookReceiver()
  const server = await serverWithChecks([receiver.url])
  const requestId = randomUUID()
  const channel = await openChannel(server, requestId)
  const top = { frame: { value: { nested: false, cross_origin: false } } }
  const body = JSON.parse(BODY)
  await postSnapshot(server, requestId, JSON.stringify({ ...body, readings: { ...body.readings, ...top } }))
  channel.report({ ...UNANSWERED, more: true })
  await receiver.count(1)
  expect(await rowOf(server, requestId)).toMatchObject({ score: 0 })

  channel.report({ readings: { input: { value: CLICKED } } })
  await channel.closed
  await expect.poll(async () => (await rowOf(server, requestId)).score).toBeGreaterThan(0)
  expect(receiver.received).toHaveLength(1)
})

test('channels that only wait for input make room for new visits from their address', async () => {
  const server = await serverWithChecks()
  const open = () => openChannel(server, randomUUID())
  const [first, ...others] = await Promise.all(Array.from({ length: 100 }, open))
  await expect(open()).rejects.toThrow('503')
  first?.report({ ...PASSED, more: true })
  await expect
    .poll(() =>
      open().then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)
  await first?.closed
  expect(others).toHaveLength(99)
  await expect(open()).rejects.toThrow('503')
})

test('the channel is only for pages of the domain, for request IDs, and once per request', async () => {
  const server = await serverWithChecks()
  const statusOf = (path: string, origin: string) =>
    new Promise<number | undefined>((resolve) => {
      const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`, { origin })
      socket.once('unexpected-response', (_, response) => resolve(response.statusCode))
      socket.once('open', () => resolve(101))
      socket.once('error', () => {})
      onTestFinished(() => socket.terminate())
    })
  const path = `/follow/${randomUUID()}?publicKey=${server.keys.public_key}`
  expect(await statusOf(path, 'https://evil.example')).toBe(401)
  expect(await statusOf(`/follow/${randomUUID()}?publicKey=${'0'.repeat(32)}`, 'https://shop.example')).toBe(
    401,
  )
  expect(await statusOf(`/follow/nothing?publicKey=${server.keys.public_key}`, 'https://shop.example')).toBe(
    404,
  )
  expect(await statusOf(path, 'https://shop.example')).toBe(101)
  expect(await statusOf(path, 'https://shop.example')).toBe(409)
})
