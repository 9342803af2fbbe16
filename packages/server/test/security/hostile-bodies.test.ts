import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { createBrotliCompress, createDeflate, createGzip, createZstdCompress } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { history, identify, management, rowOf } from '../contract/callers.ts'
import { type RawAnswer, rawRequest } from '../contract/raw-request.ts'
import { type GuardedServer, OURS, startGuardedServer } from './guarded-server.ts'

/** Bodies that try to cost far more memory or time than their size suggests. */

let server: GuardedServer
beforeAll(async () => {
  server = await startGuardedServer()
})
afterAll(() => server?.close())

const MIB = 1024 * 1024
const LIMIT_BYTES = 512 * 1024

interface Sent {
  body?: string | Uint8Array
  headers?: Record<string, string>
}

/** Sends a body to each surface that reads one. */
const SURFACES: Record<string, (sent: Sent) => Promise<RawAnswer>> = {
  ingest: ({ body = '', headers = {} }) =>
    rawRequest(server, {
      method: 'POST',
      path: `/snapshot/${randomUUID()}?publicKey=${server.keys.public_key}`,
      headers: { origin: `https://${OURS}`, ...headers },
      body,
    }),
  callback: ({ body = '', headers = {} }) =>
    rawRequest(server, {
      method: 'POST',
      path: `/${OURS}:${server.keys.secret_key}/callback`,
      headers,
      body,
    }),
  account: ({ body = '', headers = {} }) =>
    rawRequest(server, {
      method: 'POST',
      path: '/account/domains',
      headers: {
        authorization: `Bearer ${server.tokens.owner}`,
        'content-type': 'application/json',
        ...headers,
      },
      body,
    }),
}
const EACH = Object.keys(SURFACES)
const send = (surface: string, sent: Sent): Promise<RawAnswer> => {
  const to = SURFACES[surface]
  if (!to) throw new Error(`no surface ${surface}`)
  return to(sent)
}

async function stillServes(): Promise<void> {
  const requestId = randomUUID()
  await identify(server, requestId, JSON.stringify({ user_hid: 'after all' }))
  expect((await rowOf(server, requestId)).user_hid).toBe('after all')
}

describe('compressed', () => {
  const UNFOLDED_BYTES = 64 * MIB

  /** A long JSON string that compresses well. Generated in chunks, so that it is never in memory as a whole. */
  function* unfolded() {
    const piece = Buffer.alloc(MIB, 'a')
    yield Buffer.from('{"user_hid":"')
    for (let bytes = 0; bytes < UNFOLDED_BYTES; bytes += MIB) yield piece
    yield Buffer.from('"}')
  }

  test.each([
    ['gzip', createGzip],
    ['deflate', createDeflate],
    ['br', createBrotliCompress],
    ['zstd', createZstdCompress],
  ] as const)(
    'a body in %s stays as small as it came, whatever it would become',
    async (encoding, compress) => {
      const bomb = await buffer(Readable.from(unfolded()).pipe(compress()))
      expect(UNFOLDED_BYTES / bomb.length).toBeGreaterThan(100)
      const before = process.memoryUsage()
      for (const surface of EACH) {
        const answer = await send(surface, { body: bomb, headers: { 'content-encoding': encoding } })
        expect(answer.status, surface).toBe(400)
        // The body is rejected as it is, without decompression.
        expect(answer.json(), surface).toEqual({
          error: expect.stringMatching(/not (valid )?JSON|not a URL|too long/),
        })
      }
      const { heapUsed, external, arrayBuffers } = process.memoryUsage()
      const grown =
        heapUsed + external + arrayBuffers - before.heapUsed - before.external - before.arrayBuffers
      expect(grown / UNFOLDED_BYTES).toBeLessThan(0.5)
      await stillServes()
    },
  )
})

describe('nested', () => {
  const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

  test('a snapshot far deeper than any agent’s is rejected; a moderately deep one is read', async () => {
    const domain = `/account/domains/${OURS}`
    for (const [levels, status] of [
      [LIMIT_BYTES / 2 - 100, 400],
      [1_000, 400],
      [20, 200],
    ] as const) {
      const requestId = randomUUID()
      const body = `{"user_hid":"deep","0":1,"readings":{"raster":{"value":${deep(levels)}}}}`
      const answer = await rawRequest(server, {
        method: 'POST',
        path: `/snapshot/${requestId}?publicKey=${server.keys.public_key}`,
        headers: { origin: `https://${OURS}` },
        body,
      })
      expect(answer.status, String(levels)).toBe(status)
      const detail = await server.account('GET', `${domain}/identifications/${requestId}`)
      expect(detail.status).toBe(status === 200 ? 200 : 404)
    }
    for (const path of ['identifications/export?format=json', 'privacy/export?type=user_hid&value=deep'])
      expect((await server.account('GET', `${domain}/${path}`)).status, path).toBe(200)
    const body = { type: 'user_hid', value: 'deep' }
    expect((await server.account('POST', `${domain}/privacy/erase`, { body })).json).toEqual({ rows: 1 })
  })

  test.each(EACH)('endless brackets cost %s nothing', async (surface) => {
    for (const body of [
      '['.repeat(500_000),
      '{"a":'.repeat(100_000),
      deep(250_000),
      `{"a":${deep(250_000)}}`,
    ])
      expect((await send(surface, { body })).status).toBeLessThan(500)
    await stillServes()
  })
})

describe('large', () => {
  test.each(EACH)('%s does not read more than 512 KB', async (surface) => {
    const body = Buffer.alloc(LIMIT_BYTES + 1, '1')
    expect((await send(surface, { body })).status).toBe(413)
  })

  test('a body without a Content-Length is read up to 512 KB', async () => {
    const { keys } = server
    for (const target of [
      `/${OURS}:${keys.secret_key}/callback`,
      `/snapshot/${randomUUID()}?publicKey=${keys.public_key}`,
    ]) {
      const socket = connect(server.port, '127.0.0.1')
      onTestFinished(() => void socket.destroy())
      const answer = text(socket)
      socket.write(
        `POST ${target} HTTP/1.1\r\nHost: localhost\r\nOrigin: https://${OURS}\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`,
      )
      for (let count = 0; count < 513; count += 1) socket.write(`400\r\n${'1'.repeat(1_024)}\r\n`)
      expect(await answer).toMatch(/^HTTP\/1.1 413 [\s\S]*"error":"body is larger than 512 KB"/)
    }
  })

  test('numbers, texts and lists of any length are rejected or stored, and never cause an exception', async () => {
    const digits = '9'.repeat(400_000)
    for (const body of [
      digits,
      `{"session_id":${digits}}`,
      `{"readings":{"typefaces":{"value":[${'"a",'.repeat(100_000)}"a"]}}}`,
      `{"readings":{${Array.from({ length: 30_000 }, (_, index) => `"r${index}":1`).join(',')}}}`,
      `{"landing":{"url":"https://${'a'.repeat(500_000)}"}}`,
      `{"user_hid":"${'\\u0000'.repeat(80_000)}"}`,
    ])
      for (const surface of EACH)
        expect((await send(surface, { body })).status, `${surface} ${body.slice(0, 40)}`).toBeLessThan(500)
    await stillServes()
  })
})

describe('slow', () => {
  /** A request whose body never arrives. */
  async function half(head: string): Promise<Socket> {
    const socket = connect(server.port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    socket.write(`${head} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{`)
    return socket
  }

  test('missing bodies do not delay other requests', async () => {
    const { keys } = server
    const heads = [
      `POST /${OURS}:${keys.secret_key}/callback`,
      `POST /snapshot/${randomUUID()}?publicKey=${keys.public_key}`,
      'POST /account/login',
    ]
    // More than the concurrency limit of the Management API.
    await Promise.all(Array.from({ length: 90 }, (_, index) => half(heads[index % heads.length] ?? '')))
    expect((await management(server, '/v1/profile')).status).toBe(200)
    expect((await history(server, 'user_hid/x')).status).toBe(200)
    await stillServes()
  })
})

test('invalid UTF-8 is read with replacement characters, without an exception', async () => {
  const broken = Buffer.concat([
    Buffer.from('{"user_hid":"a'),
    Buffer.from([0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80]),
    Buffer.from('"}'),
  ])
  for (const surface of EACH) expect((await send(surface, { body: broken })).status).toBeLessThan(500)
  for (const surface of EACH)
    expect((await send(surface, { body: Buffer.from([0xfe, 0xff, 0, 0x7b, 0, 0x7d]) })).status).toBe(400)
  await stillServes()
})
