import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rowOf } from './contract/callers.ts'
import { startTestServer, type TestServer } from './running-server.ts'
import { sendBytes } from './security/send-bytes.ts'

/** Requests that ask for another protocol, with the very bytes that clients send. */

let server: TestServer & { close(): Promise<void> }
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

/** How the JDK's client opens every connection over plain HTTP, and `curl --http2`. */
const H2C =
  'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA\r\n'
const WEBSOCKET =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
const OK = '{"status":"ok"}\n'
const ADDRESS = expect.stringContaining('127.0.0.1')
const EMPTY = 'Content-Length: 2\r\n\r\n{}'

/** Status and body of the one answer before the server closes the connection. */
async function answerTo(request: string): Promise<[status: number, body: string]> {
  const answer = await sendBytes(server.port, request)
  expect(answer.match(/HTTP\/1\.1 \d{3} /g)).toHaveLength(1)
  expect(answer).toMatch(/\r\nconnection: close\r\n/i)
  return [Number(answer.slice(9, 12)), answer.slice(answer.indexOf('\r\n\r\n') + 4)]
}

const post = (requestId: string, upgrade: string, body: string): string =>
  `POST /snapshot/${requestId}?publicKey=${server.keys.public_key} HTTP/1.1\r\nHost: localhost\r\nOrigin: https://shop.example\r\n${upgrade}${body}`

describe('a request that asks for HTTP/2 is answered in HTTP/1.1, as if it had not asked', () => {
  test('without a body', async () => {
    expect(await answerTo(`GET /health HTTP/1.1\r\nHost: localhost\r\n${H2C}\r\n`)).toEqual([200, OK])
  })

  test('with a key', async () => {
    const { api_key } = server.keys
    const [status, body] = await answerTo(
      `GET /api/v1/history/user_hid/nobody HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${api_key}\r\n${H2C}\r\n`,
    )
    expect(status).toBe(200)
    expect(JSON.parse(body)).toEqual({ total: 0, data: [] })
  })

  test.each([
    ['a length', (json: string) => `Content-Length: ${json.length}\r\n\r\n${json}`],
    [
      'chunks',
      (json: string) =>
        `Transfer-Encoding: chunked\r\n\r\n${json.length.toString(16)}\r\n${json}\r\n0\r\n\r\n`,
    ],
  ])('with a body of %s, which is read', async (_framing, framed) => {
    const requestId = randomUUID()
    const json = JSON.stringify({ user_hid: 'upgraded' })
    expect(await answerTo(post(requestId, H2C, framed(json)))).toEqual([200, ADDRESS])
    expect((await rowOf(server, requestId)).user_hid).toBe('upgraded')
  })

  test('and a request behind it in the same packet is not answered: the connection closes', async () => {
    const get = `GET /health HTTP/1.1\r\nHost: localhost\r\n${H2C}\r\n`
    expect(await answerTo(`${get}GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n`)).toEqual([200, OK])
  })
})

test('a request that asks for any other protocol is answered, and its body read', async () => {
  for (const protocol of ['TLS/1.0', 'HTTP/2.0, SHTTP/1.3, IRC/6.9', 'websocket, h2c', 'x', '']) {
    const upgrade = `Connection: Upgrade\r\nUpgrade: ${protocol}\r\n`
    const get = `GET /health HTTP/1.1\r\nHost: localhost\r\n${upgrade}\r\n`
    expect(await answerTo(get), protocol).toEqual([200, OK])
    expect(await answerTo(post(randomUUID(), upgrade, EMPTY)), protocol).toEqual([200, ADDRESS])
  }
})

test('a WebSocket is opened on the follow-up path only; elsewhere the request is an ordinary one', async () => {
  const ask = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${WEBSOCKET}\r\n`
  expect(await answerTo(ask('/health'))).toEqual([200, OK])
  for (const path of ['/nowhere', '/follow'])
    expect(await answerTo(ask(path)), path).toEqual([404, '404 page not found'])
  expect(await answerTo(post(randomUUID(), WEBSOCKET, EMPTY))).toEqual([200, ADDRESS])

  const channel = `/follow/${randomUUID()}`
  // The channel refuses it, because the key is missing.
  expect((await answerTo(ask(channel)))[0]).toBe(401)
  const other = `GET ${channel} HTTP/1.1\r\nHost: localhost\r\n${H2C}\r\n`
  expect(await answerTo(other)).toEqual([404, '404 page not found'])
})
