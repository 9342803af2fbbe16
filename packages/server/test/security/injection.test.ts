import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../src/lib/free-port.ts'
import { loggedDeliveries } from '../contract/operator.ts'
import { type RawRequest, rawRequest } from '../contract/raw-request.ts'
import { OWNER, PASSWORD } from '../dashboard/dashboard-server.ts'
import { postSnapshot } from '../running-server.ts'
import { startWebhookReceiver } from '../webhook-receiver.ts'
import { type GuardedServer, OURS, startGuardedServer } from './guarded-server.ts'
import { sendBytes } from './send-bytes.ts'

/** Text of visitors in formats with delimiters: headers, the log, CSV and metrics. */

const lines: string[] = []
const logTo = new Writable({
  write(chunk: Buffer, _encoding, done) {
    lines.push(...chunk.toString().split('\n').filter(Boolean))
    done()
  },
})

let server: GuardedServer
let metricsPort: number
beforeAll(async () => {
  metricsPort = await freePort('127.0.0.1')
  const settings = { LOG_LEVEL: 'trace', METRICS_PORT: String(metricsPort) }
  server = await startGuardedServer({ settings, logTo })
})
afterAll(() => server?.close())

const BREAK = '\r\nX-Evil: 1\r\n\r\n{"level":60,"msg":"forged"}\n'
const ESCAPED = encodeURIComponent(BREAK)

/** Requests with the text in each place that a surface reads. */
function requests(text: string): RawRequest[] {
  const { keys, tokens } = server
  const bearer = { authorization: `Bearer ${tokens.owner}` }
  const page = { origin: `https://${OURS}` }
  const json = { ...bearer, 'content-type': 'application/json' }
  return [
    { path: `/agent.js?publicKey=${text}&retry=${text}` },
    { path: `/agent/${text}` },
    { path: `/dashboard?x=${text}` },
    { path: `/dashboard/${text}` },
    { path: `/dashboard/assets/${text}.js` },
    { path: `/demo?x=${text}` },
    { path: `/docs?x=${text}` },
    { path: `/${text}` },
    { path: `/api/v1/history/request_id/${text}`, headers: { authorization: `Bearer ${keys.api_key}` } },
    { path: `/pub/${keys.public_key}/${keys.secret_key}/history/ip/${text}` },
    { path: `/${OURS}:${keys.secret_key}/history/${text}/x` },
    {
      path: `/v1/history/${text}/x`,
      headers: { authorization: `Bearer ${keys.secret_key}`, 'x-svc-domain': OURS },
    },
    { method: 'POST', path: `/${OURS}:${keys.secret_key}/callback`, body: decodeURIComponent(text) },
    { path: `/account/domains/${text}/identifications/export`, headers: bearer },
    { path: `/account/domains/${OURS}/patterns/export?format=${text}`, headers: bearer },
    { path: `/account/domains/${OURS}/identifications?cursor=${text}`, headers: bearer },
    {
      method: 'POST',
      path: '/account/domains',
      headers: json,
      body: JSON.stringify({ domain: decodeURIComponent(text) }),
    },
    {
      method: 'POST',
      path: '/account/login',
      headers: json,
      body: JSON.stringify({ email: decodeURIComponent(text), password: 'x' }),
    },
    { method: 'POST', path: `/snapshot/${text}?publicKey=${keys.public_key}`, headers: page, body: '{}' },
    {
      method: 'POST',
      path: `/snapshot/${randomUUID()}?publicKey=${keys.public_key}`,
      headers: page,
      body: decodeURIComponent(text),
    },
    { path: `/noscript?publicKey=${keys.public_key}&x=${text}`, headers: page },
  ]
}

describe('headers', () => {
  test('no text of a request becomes a header or a second response', async () => {
    for (const request of requests(ESCAPED)) {
      const { headers, status } = await rawRequest(server, request)
      const label = `${request.method ?? 'GET'} ${request.path}`
      expect(headers, label).not.toHaveProperty('x-evil')
      expect(JSON.stringify(headers), label).not.toContain('\\r')
      expect(status, label).toBeLessThan(600)
    }
  })

  test('an unescaped line break is rejected', async () => {
    for (const bytes of [
      'GET /health HTTP/1.1\r\nHost: localhost\r\nX-A: a\rX-Evil: 1\r\n\r\n',
      'GET /health HTTP/1.1\nHost: localhost\n\n',
      'GET /health HTTP/1.1\r\nHost: localhost\r\nX-A: a\0b\r\n\r\n',
      'GET /health HTTP/1.1\r\nHost: localhost\r\nX-A : a\r\n\r\n',
    ]) {
      const answer = await sendBytes(server.port, bytes)
      expect(answer, bytes).toMatch(/^HTTP\/1.1 400 /)
      expect(answer).not.toMatch(/^x-evil/im)
    }
  })

  test('a delivery has only the headers of the service, whatever a visitor sent', async () => {
    const receiver = await startWebhookReceiver()
    try {
      const { json } = await server.account('POST', `/account/domains/${OURS}/endpoints`, {
        body: { url: receiver.url },
      })
      expect(json).toMatchObject({ url: receiver.url })
      const body = JSON.stringify({
        user_hid: BREAK,
        landing: { url: `https://${OURS}/${BREAK}`, referrer: BREAK },
      })
      await postSnapshot(server, randomUUID(), body, { 'user-agent': 'x'.repeat(3_000) })
      const [delivered] = await receiver.count(1)
      expect(delivered?.headerNames.map((name) => name.toLowerCase()).sort()).toEqual([
        'connection',
        'content-length',
        'content-type',
        'host',
        'x-svc-signature',
      ])
      expect(JSON.parse(delivered?.body.toString() ?? '')).toMatchObject({ data: { user_hid: BREAK } })
      await loggedDeliveries(server, 1)
    } finally {
      receiver.close()
    }
  })
})

describe('the log', () => {
  test('has one object per line, with messages of the server and no secret', async () => {
    for (const request of [...requests(ESCAPED), ...requests('x')]) await rawRequest(server, request)
    await server.account('POST', '/account/login', { body: { email: OWNER, password: PASSWORD } })
    await server.account('GET', `/account/domains/${OURS}`, { token: server.tokens.forged })
    await rawRequest(server, {
      method: 'POST',
      path: `/snapshot/${randomUUID()}?publicKey=${server.keys.public_key}`,
      headers: { origin: `https://${OURS}` },
      body: 'no JSON',
    })

    // An empty log would prove nothing.
    expect(lines.filter((line) => line.includes('"refused"')).length).toBeGreaterThan(5)
    for (const line of lines) {
      const entry = JSON.parse(line) as { level: number; msg: string }
      expect([entry.level, entry.msg]).not.toEqual([60, 'forged'])
      expect(line).not.toMatch(/[\r\n]/)
    }
    const text = lines.join('\n')
    const { keys, other, tokens } = server
    for (const secret of [
      keys.secret_key,
      keys.api_key,
      other.secret_key,
      tokens.owner,
      tokens.forged,
      PASSWORD,
      'whsec_',
      'inkling_refresh',
      '$argon2id',
    ])
      expect(text).not.toContain(secret)
  })
})

describe('files', () => {
  test('text of a visitor stays one cell of plain text in a spreadsheet', async () => {
    const hostile = [
      '=1+1',
      '+1',
      '-1',
      '@SUM(A1)',
      '\t=1',
      'x;=1+1',
      '"a","b"',
      'a\r\n=b',
      '=HYPERLINK("https://evil.example")',
    ]
    for (const user_hid of hostile) await postSnapshot(server, randomUUID(), JSON.stringify({ user_hid }))
    const { text } = await server.account('GET', `/account/domains/${OURS}/identifications/export?format=csv`)
    for (const user_hid of hostile.filter((each) => /^[=+\-@]/.test(each)))
      expect(text).toContain(`'${user_hid.replaceAll('"', '""')}`)
    // Where a tab or a semicolon separates cells, what follows is one of its own.
    for (const plain of ["'\t'=1", "x;'=1+1"]) expect(text).toContain(plain)
    const cells = text.match(/"(?:[^"]|"")*"|[^",\r\n]+/g) ?? []
    expect(cells.length).toBeGreaterThan(100)
    for (const cell of cells) expect(cell).not.toMatch(/^"?[=@+\t\r]/)
  })
})

test('metrics are on their own port, contain no visitor and no key, and are read-only', async () => {
  for (const path of ['/metrics', '/metrics/', '/metrics?x=1'])
    for (const token of [server.tokens.owner, server.keys.api_key, ''])
      expect((await rawRequest(server, { path, headers: { authorization: `Bearer ${token}` } })).status).toBe(
        404,
      )
  const there = { port: metricsPort }
  const metrics = await rawRequest(there, { path: '/metrics' })
  expect(metrics.status).toBe(200)
  const { keys } = server
  for (const secret of [
    keys.public_key,
    keys.secret_key,
    keys.api_key,
    OWNER,
    '"msg":"forged"',
    'HYPERLINK',
    '127.0.0.1',
  ])
    expect(metrics.text).not.toContain(secret)
  for (const request of [
    { method: 'POST', path: '/metrics' },
    { path: '/' },
    { path: '/account/me', headers: { authorization: `Bearer ${server.tokens.owner}` } },
    { path: '/../metrics' },
    { path: '/metrics/../account/me' },
  ])
    expect((await rawRequest(there, request)).status).toBe(404)
})
