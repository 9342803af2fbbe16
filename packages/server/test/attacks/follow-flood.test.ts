import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { createdAtMs, history, identify, rowOf } from '../contract/callers.ts'
import { from } from '../contract/roomy-settings.ts'
import { askForTicket } from '../proven-body.ts'
import { type MeasuredServer, measuredServer } from '../scrape.ts'

/** Follow-up channels with made-up request IDs, and with messages that never end. */

const TRUSTED = { TRUST_PROXY: '127.0.0.1' }
const REPORT_BYTES = 60 * 1_024
const AUTOMATED = {
  network: { outcome: 'failed', answered: false },
  readings: { automation: { value: { webdriver: true, markers: [] } } },
}

/** A channel, or the status with which it was refused. */
function open({ port, keys }: MeasuredServer, address: string, requestId = randomUUID()) {
  const channel = new WebSocket(`ws://127.0.0.1:${port}/follow/${requestId}?publicKey=${keys.public_key}`, {
    headers: { ...from(address), origin: `https://${keys.domain}` },
  })
  onTestFinished(() => channel.terminate())
  return new Promise<WebSocket | number>((resolve, reject) => {
    channel.once('open', () => resolve(channel))
    channel.once('unexpected-response', (_request, response) => {
      response.destroy()
      resolve(response.statusCode ?? 0)
    })
    channel.on('error', reject)
  })
}

const isChannel = (opened: WebSocket | number): opened is WebSocket => typeof opened !== 'number'

/** An automated browser, whose late readings give it away; `meanwhile` runs between its channel and its snapshot. */
async function automatedVisit(server: MeasuredServer, meanwhile: () => Promise<void>): Promise<number> {
  const requestId = randomUUID()
  const channel = await open(server, '91.0.0.1', requestId)
  if (!isChannel(channel)) throw new Error(`refused with ${channel}`)
  channel.send(JSON.stringify(AUTOMATED))
  const closed = new Promise((resolve) => channel.once('close', resolve))
  await meanwhile()
  await identify(server, requestId, '{"version":1,"follow_up":true}', from('91.0.0.1'))
  await closed
  await expect.poll(async () => (await rowOf(server, requestId)).is_browser_automation).toBe(true)
  return (await rowOf(server, requestId)).score
}

/** Resolves when the server has read what was sent before. */
const answered = (channel: WebSocket): Promise<unknown> =>
  new Promise((resolve) => {
    channel.once('pong', resolve).once('close', resolve)
    channel.ping()
  })

/** As many channels and as much evidence as the addresses can get. */
async function flood(
  server: MeasuredServer,
  addresses: readonly string[],
  channelsOfEach = 130,
): Promise<number> {
  const report = JSON.stringify({
    network: { outcome: 'failed', answered: false },
    readings: { x: 'x'.repeat(REPORT_BYTES) },
  })
  const opened = await Promise.all(
    addresses.flatMap((address) => Array.from({ length: channelsOfEach }, () => open(server, address))),
  )
  const channels = opened.filter(isChannel)
  for (const channel of channels) channel.send(report)
  await Promise.all(channels.map(answered))
  expect(opened.filter((status) => status === 503)).toHaveLength(opened.length - channels.length)
  return channels.length
}

test('an automated visit keeps its score while others flood the channel with made-up request IDs', async () => {
  const server = await measuredServer({ settings: { ...TRUSTED, FOLLOW_UP_SECONDS: '30' } })
  const quiet = await automatedVisit(server, () => Promise.resolve())
  const addresses = Array.from({ length: 7 }, (_, index) => `203.0.113.${index}`)
  let channels = 0
  const flooded = await automatedVisit(server, async () => {
    channels = await flood(server, addresses)
  })
  expect(flooded).toBe(quiet)
  // Each address gets as many channels as an office needs, and all of them together no more memory than is meant for it.
  expect(channels).toBe(700)
  const { value } = await server.scrape()
  expect(value('inkling_follow_evidence_bytes')).toBeLessThanOrEqual(33 * 1_024 * 1_024)
  expect(value('inkling_follow_evicted_total')).toBeGreaterThan(0)
  expect(value('inkling_follow_channels_refused_total{reason="too_many_of_address"}')).toBe(7 * 30)
})

test('a visit with a ticket keeps what it sent while hundreds of addresses send as much under made-up request IDs', async () => {
  const settings = {
    ...TRUSTED,
    FOLLOW_UP_SECONDS: '30',
    CONNECTIONS_PER_ADDRESS_MAX: '10000',
    // The rows are read until they are final.
    HISTORY_LIMIT_PER_SECOND: '1000',
  }
  const server = await measuredServer({ settings })
  const quiet = { 'with a ticket': '91.0.0.1', 'without one': '91.0.0.2' }
  const visits = Object.entries(quiet).map(async ([kind, address]) => {
    const requestId = randomUUID()
    const channel = await open(server, address, requestId)
    if (!isChannel(channel)) throw new Error(`refused with ${channel}`)
    const ticket = await (await askForTicket(server, requestId, from(address))).text()
    const more = { x: 'x'.repeat(REPORT_BYTES) }
    channel.send(
      JSON.stringify({
        ...AUTOMATED,
        ...(kind === 'with a ticket' && { ticket }),
        readings: { ...AUTOMATED.readings, ...more },
      }),
    )
    await answered(channel)
    return { kind, requestId, address }
  })
  const sent = await Promise.all(visits)
  // Each no more than the visitors: there is no greediest address.
  const addresses = Array.from({ length: 600 }, (_, index) => `203.0.${index >> 8}.${index & 255}`)
  await flood(server, addresses, 1)
  const { value } = await server.scrape()
  expect(value('inkling_follow_evicted_total')).toBeGreaterThan(0)
  const seen = sent.map(async ({ kind, requestId, address }) => {
    await identify(server, requestId, '{"version":1,"follow_up":true}', from(address))
    // The row is stored again once it is final, which can be before it is first read.
    const row = await vi.waitUntil(
      async () => {
        const stored = await rowOf(server, requestId)
        return stored.ver > createdAtMs(stored) ? stored : undefined
      },
      { timeout: 60_000 },
    )
    return [kind, row.is_browser_automation]
  })
  expect(Object.fromEntries(await Promise.all(seen))).toEqual({ 'with a ticket': true, 'without one': false })
})

test('an address opens channels at a limited rate, even if it closes them at once', async () => {
  const server = await measuredServer({ settings: TRUSTED })
  let refused = 0
  for (let count = 0; count < 200; count += 1) {
    const channel = await open(server, '203.0.113.9')
    if (isChannel(channel)) channel.terminate()
    else refused += 1
  }
  expect(refused).toBeGreaterThan(50)
  const { value } = await server.scrape()
  expect(value('inkling_follow_channels_refused_total{reason="opened_too_often"}')).toBeGreaterThan(50)
  expect(isChannel(await open(server, '203.0.113.10'))).toBe(true)
})

test('messages that never end take little memory, and a quiet channel of another address stays', async () => {
  const server = await measuredServer({ settings: TRUSTED })
  const quiet = await open(server, '91.0.0.1')
  const halves = await Promise.all(Array.from({ length: 60 }, () => halfMessage(server, '203.0.113.66')))
  await expect
    .poll(async () => {
      const { value } = await server.scrape()
      return value('inkling_follow_channels_refused_total{reason="unfinished_messages"}')
    })
    .toBeGreaterThan(20)
  const { value } = await server.scrape()
  expect(value('inkling_follow_unfinished_bytes')).toBeLessThanOrEqual(2 * 1_024 * 1_024 + 1_024)
  expect(halves.filter(({ destroyed }) => destroyed).length).toBeGreaterThan(20)
  expect(isChannel(quiet) && quiet.readyState).toBe(WebSocket.OPEN)
  expect((await history(server, 'latest/all')).status).toBe(200)
})

/** A channel on which all but the end of a message is sent. */
async function halfMessage({ port, keys }: MeasuredServer, address: string) {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  socket.write(
    [
      `GET /follow/${randomUUID()}?publicKey=${keys.public_key} HTTP/1.1`,
      'Host: localhost',
      `Origin: https://${keys.domain}`,
      `X-Forwarded-For: ${address}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${Buffer.alloc(16, 7).toString('base64')}`,
      '\r\n',
    ].join('\r\n'),
  )
  await new Promise((resolve) => socket.once('data', resolve))
  socket.resume()
  const head = Buffer.from([0x81, 0xfe, 0xff, 0xff, 0, 0, 0, 0])
  await new Promise((resolve) => socket.write(Buffer.concat([head, Buffer.alloc(65_000)]), resolve))
  return socket
}
