import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { request } from 'node:http'
import type { LookupFunction } from 'node:net'
import { WebSocket } from 'ws'
import { onWire, ordinaryReadings, value } from '../identified.ts'
import type { TurnTask } from '../pass-network-check.ts'
import { allocate, authenticated, readReply } from '../turn-client.ts'
import type { VisitorSettings, VisitorTask } from './visitor.ts'

/** Opens the follow-up channel, posts a visit, and then follows the commands of its parent. */

const settings = JSON.parse(process.argv[2] ?? '') as VisitorSettings
const { url, requestId, publicKey, origin, userAgent } = settings

const lookup: LookupFunction = (_host, { all }, done) =>
  all ? done(null, [{ address: settings.address, family: 4 }]) : done(null, settings.address, 4)

const readings = { ...ordinaryReadings(), user_agent: value(userAgent), platform: value(settings.platform) }
const body = JSON.stringify({
  version: 1,
  user_hid: settings.account,
  follow_up: true,
  readings: onWire(readings),
})

async function openChannel(): Promise<{ channel: WebSocket; task: TurnTask }> {
  const channel = new WebSocket(`${url.replace('http', 'ws')}/follow/${requestId}?publicKey=${publicKey}`, {
    origin,
    lookup,
  })
  const [data] = await once(channel, 'message')
  return { channel, task: JSON.parse(String(data)).network_check }
}

async function post(): Promise<void> {
  const sending = request(`${url}/snapshot/${requestId}?publicKey=${publicKey}`, {
    method: 'POST',
    lookup,
    headers: [
      ...[
        'Host',
        new URL(url).host,
        'Connection',
        'close',
        'Content-Length',
        String(Buffer.byteLength(body)),
      ],
      ...['User-Agent', userAgent, 'Content-Type', 'text/plain;charset=UTF-8', 'Accept', '*/*'],
      ...['Origin', origin, 'Referer', `${origin}/`, 'Accept-Encoding', 'gzip, deflate'],
      ...['Accept-Language', 'de-DE,de;q=0.9,en;q=0.8'],
    ],
  })
  sending.end(body)
  const [response] = await once(sending, 'response')
  if (response.statusCode !== 200) throw new Error(`the visit was answered with ${response.statusCode}`)
  response.resume()
}

const { channel, task } = await openChannel()
await post()

const socket = createSocket('udp4')
async function askResponder(message: Buffer) {
  const [, host = '', port = ''] = /^turn:([\d.]+):(\d+)/.exec(task.urls[0] ?? '') ?? []
  const answered = once(socket, 'message')
  socket.send(message, Number(port), host)
  const [reply] = await answered
  return readReply(reply)
}

async function perform(ordered: VisitorTask): Promise<string | number> {
  switch (ordered.do) {
    case 'report':
      channel.send(JSON.stringify({ network: { outcome: 'complete', answered: ordered.answered } }))
      return 'reported'
    case 'challenge': {
      const { nonce } = await askResponder(allocate())
      return authenticated(task, { nonce }).toString('hex')
    }
    case 'send':
      return (await askResponder(Buffer.from(ordered.message, 'hex'))).code ?? 0
  }
}

process.on('message', async (ordered: VisitorTask) => process.send?.(await perform(ordered)))
process.send?.('ready')
