import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { identify, rowOf } from '../contract/callers.ts'
import { rawRequest } from '../contract/raw-request.ts'
import { from } from '../contract/roomy-settings.ts'
import { type GuardedServer, OTHER, OURS, startGuardedServer } from './guarded-server.ts'

/** The WebSocket that a page opens for follow-up checks. */

let server: GuardedServer
beforeAll(async () => {
  server = await startGuardedServer({ settings: { FOLLOW_UP_SECONDS: '2' } })
})
afterAll(() => server?.close())

interface Opening {
  requestId?: string
  key?: string
  origin?: string | undefined
  /** Visitor's address. */
  address?: string
}

/** A channel, or the status of the rejected upgrade. */
function open({
  requestId = randomUUID(),
  key = server.keys.public_key,
  address = '91.0.0.1',
  ...given
}: Opening = {}): Promise<WebSocket | number> {
  const origin = 'origin' in given ? given.origin : `https://${OURS}`
  const channel = new WebSocket(`ws://127.0.0.1:${server.port}/follow/${requestId}?publicKey=${key}`, {
    headers: { ...from(address), ...(origin !== undefined && { origin }) },
  })
  onTestFinished(() => channel.terminate())
  return new Promise((resolve, reject) => {
    channel.once('open', () => resolve(channel))
    channel.once('unexpected-response', (_request, response) => {
      response.destroy()
      resolve(response.statusCode ?? 0)
    })
    channel.once('error', reject)
  })
}

async function opened(given: Opening = {}): Promise<WebSocket> {
  const channel = await open(given)
  if (typeof channel === 'number') throw new Error(`the channel was refused with ${channel}`)
  return channel
}

const closeCode = (channel: WebSocket): Promise<number> =>
  new Promise((resolve) => channel.once('close', resolve))

test('only a page of the key’s domain can open a channel', async () => {
  for (const origin of [
    undefined,
    'null',
    'https://evil.example',
    `https://${OTHER}`,
    `https://${OURS}.evil.example`,
    `https://evil${OURS}`,
    `https://evil.example/${OURS}`,
    `https://${OURS}@evil.example`,
    `${OURS}`,
  ])
    expect(await open({ origin }), origin).toBe(401)
  for (const key of [
    '',
    'x',
    '__proto__',
    server.keys.api_key,
    server.other.public_key,
    server.closed.public_key,
  ])
    expect(await open({ key }), key).toBe(401)
  for (const requestId of ['', 'x', `${randomUUID()}/x`, '%00'])
    expect(await open({ requestId }), requestId).toBe(404)
  // Not a path of the channel once it is resolved, so an ordinary request.
  expect(await open({ requestId: '../health' })).toBe(200)
  await opened({ origin: `https://www.${OURS}:8443` })
})

test('a second channel of the same request is rejected, so nobody can report for another visitor', async () => {
  const requestId = randomUUID()
  await opened({ requestId })
  expect(await open({ requestId })).toBe(409)
  expect(await open({ requestId: requestId.toUpperCase(), address: '91.0.0.2' })).toBe(409)
})

test('an address has at most a hundred channels; other addresses are not affected', async () => {
  const address = '91.0.0.9'
  const channels = await Promise.all(Array.from({ length: 100 }, () => opened({ address })))
  expect(await open({ address })).toBe(503)
  await opened({ address: '91.0.0.10' })
  const [first] = channels
  const gone = first && closeCode(first)
  first?.terminate()
  await gone
  await expect.poll(async () => typeof (await open({ address }))).toBe('object')
})

test('an oversized, malformed or compressed message closes the channel and nothing else', async () => {
  const sendings: ((channel: WebSocket) => void)[] = [
    (channel) => channel.send('x'.repeat(64 * 1_024 + 1)),
    (channel) => channel.send(Buffer.alloc(64 * 1_024 + 1)),
    (channel) => channel.send(Buffer.from([0, 1, 2])),
    (channel) => channel.send('no JSON'),
    (channel) => channel.send('[]'),
    (channel) => channel.send('null'),
    (channel) => channel.send(Buffer.from([0xff, 0xfe]), { binary: false }),
    (channel) => channel.send(`{"readings":{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}}`),
    (channel) => channel.send(`{"readings":{"a":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}}`),
    // A numeric key puts JSON.parse on a path that uses the stack.
    (channel) => channel.send(`{"readings":{"0":1,"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}}`),
    (channel) => {
      channel.send(`{"more":true,"readings":{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}}`)
      channel.send('{"readings":{"0":1}}')
    },
    (channel) => {
      for (let count = 0; count < 1_000; count += 1) channel.send('{"more":true}')
    },
    (channel) => {
      for (let count = 0; count < 1_000; count += 1) channel.ping('x'.repeat(125))
    },
  ]
  const thrown: unknown[] = []
  const note = (error: unknown) => void thrown.push(error)
  // An exception in a listener would end the process; no response would show it.
  process.on('uncaughtExceptionMonitor', note)
  onTestFinished(() => void process.off('uncaughtExceptionMonitor', note))
  for (const sending of sendings) {
    const requestId = randomUUID()
    const channel = await opened({ requestId })
    expect(channel.extensions).toBe('')
    channel.on('error', () => undefined)
    sending(channel)
    await identify(server, requestId, JSON.stringify({ user_hid: 'followed', follow_up: true }))
    expect((await rowOf(server, requestId)).user_hid).toBe('followed')
  }
  expect(thrown).toEqual([])
})

test('an incomplete upgrade, or one to another protocol, is rejected', async () => {
  for (const headers of [
    { connection: 'upgrade', upgrade: 'h2c' },
    { connection: 'upgrade', upgrade: 'websocket' },
    { connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': 'x' },
  ]) {
    const path = `/follow/${randomUUID()}?publicKey=${server.keys.public_key}`
    const { status } = await rawRequest(server, { path, headers: { origin: `https://${OURS}`, ...headers } })
    expect([400, 404, 426]).toContain(status)
  }
})
