import { randomUUID } from 'node:crypto'
import { connect } from 'node:tls'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { rowOf } from './contract/callers.ts'
import { startTestServer, type TestServer } from './running-server.ts'
import { sendBytes } from './security/send-bytes.ts'
import { selfSignedCertificate } from './self-signed-certificate.ts'

/** Requests that ask for another protocol, with the very bytes that clients send. */

let server: TestServer & { close(): Promise<void> }
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

/** How the JDK's client opens every connection over plain HTTP, and `curl --http2`. */
const H2C =
  'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA\r\n'
const UNKNOWN = ['h2c', 'TLS/1.0', 'HTTP/2.0, SHTTP/1.3, IRC/6.9', 'websocket, h2c', 'x', '']
const WEBSOCKET =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
const LAST = 'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
const OK = '{"status":"ok"}\n'

/** Status and body of each answer on a connection whose last request closes it. */
async function answersTo(...requests: string[]): Promise<[status: number, body: string][]> {
  const sent = await sendBytes(server.port, [...requests, LAST].join(''))
  const answers = sent
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .map((answer): [number, string] => [
      Number(answer.slice(9, 12)),
      answer.slice(answer.indexOf('\r\n\r\n') + 4),
    ])
  expect(answers.pop()).toEqual([200, OK])
  return answers
}

const post = (requestId: string, upgrade: string, body: string): string =>
  `POST /snapshot/${requestId}?publicKey=${server.keys.public_key} HTTP/1.1\r\nHost: localhost\r\nOrigin: https://shop.example\r\n${upgrade}${body}`

describe('a request that asks for HTTP/2 is answered in HTTP/1.1, as if it had not asked', () => {
  test('without a body', async () => {
    const get = `GET /health HTTP/1.1\r\nHost: localhost\r\n${H2C}\r\n`
    expect(await answersTo(get)).toEqual([[200, OK]])
    expect(await answersTo(get, get)).toEqual([
      [200, OK],
      [200, OK],
    ])
  })

  test('with a key', async () => {
    const { api_key } = server.keys
    const get = `GET /api/v1/history/user_hid/nobody HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${api_key}\r\n${H2C}\r\n`
    const [answer] = await answersTo(get)
    expect(answer?.[0]).toBe(200)
    expect(JSON.parse(answer?.[1] ?? '')).toEqual({ total: 0, data: [] })
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
    expect(await answersTo(post(requestId, H2C, framed(json)))).toEqual([
      [200, expect.stringContaining('127.0.0.1')],
    ])
    expect((await rowOf(server, requestId)).user_hid).toBe('upgraded')
  })
})

test('a request that asks for any other protocol is answered, with its body and those after it', async () => {
  for (const protocol of UNKNOWN) {
    const upgrade = `Connection: Upgrade\r\nUpgrade: ${protocol}\r\n`
    const get = `GET /health HTTP/1.1\r\nHost: localhost\r\n${upgrade}\r\n`
    const body = 'Content-Length: 2\r\n\r\n{}'
    expect(await answersTo(get, post(randomUUID(), upgrade, body)), protocol).toEqual([
      [200, OK],
      [200, expect.stringContaining('127.0.0.1')],
    ])
  }
})

test('a WebSocket is opened on the follow-up path only; elsewhere the request is an ordinary one', async () => {
  const ask = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${WEBSOCKET}\r\n`
  expect(await answersTo(ask('/health'), ask('/nowhere'), ask('/follow'))).toEqual([
    [200, OK],
    [404, '404 page not found'],
    [404, '404 page not found'],
  ])
  const body = 'Content-Length: 2\r\n\r\n{}'
  expect(await answersTo(post(randomUUID(), WEBSOCKET, body))).toEqual([
    [200, expect.stringContaining('127.0.0.1')],
  ])
  // Refused by the channel, which ends the connection: the key is missing.
  const follow = `/follow/${randomUUID()}`
  expect(await sendBytes(server.port, ask(follow))).toMatch(/^HTTP\/1\.1 401 /)
  // No other protocol is spoken there.
  const other = `GET ${follow} HTTP/1.1\r\nHost: localhost\r\n${H2C}\r\n`
  expect(await answersTo(other)).toEqual([[404, '404 page not found']])
})
