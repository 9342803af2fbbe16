import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { history } from '../contract/callers.ts'
import { type RawRequest, rawRequest } from '../contract/raw-request.ts'
import { type GuardedServer, OURS, startGuardedServer } from './guarded-server.ts'
import { sendBytes } from './send-bytes.ts'

/** Requests that a proxy in front of the server could parse differently. */

let server: GuardedServer
beforeAll(async () => {
  server = await startGuardedServer()
})
afterAll(() => server?.close())

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

test('headers of more than 16 KB are rejected, and the next request works', async () => {
  const long = `GET /health HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`
  const many = `GET /health HTTP/1.1\r\nHost: localhost\r\n${'a: b\r\n'.repeat(4_000)}\r\n`
  for (const bytes of [long, many]) {
    const answer = await sendBytes(server.port, bytes)
    expect(answer).toMatch(/^HTTP\/1.1 431 /)
    expect(answer.split('\r\n\r\n')[1]).toBe('{"error":"the request could not be read"}\n')
  }
  expect((await rawRequest(server, { path: '/health' })).status).toBe(200)
})

test('a request with two lengths, or a length and chunks, is rejected, so it cannot hide a second one', async () => {
  const { keys, tokens } = server
  const hidden = `GET /account/users HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${tokens.owner}\r\n\r\n`
  const post = `POST /snapshot/${randomUUID()}?publicKey=${keys.public_key} HTTP/1.1\r\nHost: localhost\r\nOrigin: https://${OURS}\r\n`
  for (const framing of [
    'Content-Length: 2\r\nContent-Length: 3\r\n',
    'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n',
    'Transfer-Encoding: chunked\r\nContent-Length: 2\r\n',
    'Transfer-Encoding: xchunked\r\n',
    'Transfer-Encoding: chunked, identity\r\n',
    'Content-Length: +2\r\n',
    'Content-Length: 0x2\r\n',
    'Content-Length: -1\r\n',
  ]) {
    const answer = await sendBytes(server.port, `${post}${framing}\r\n{}${hidden}`)
    expect(answer, framing).toMatch(/^HTTP\/1.1 400 /)
    expect(answer.match(/HTTP\/1.1 /g), framing).toHaveLength(1)
  }
})

test('of a repeated parameter the key routes use the first; the account API rejects it', async () => {
  const { keys, other, tokens } = server
  const page = { origin: `https://${OURS}` }
  const post = (query: string): RawRequest => ({
    method: 'POST',
    path: `/snapshot/${randomUUID()}?${query}`,
    headers: page,
    body: '{}',
  })
  const statusOf = async (request: RawRequest) => (await rawRequest(server, request)).status
  expect(await statusOf(post(`publicKey=${other.public_key}&publicKey=${keys.public_key}`))).toBe(401)
  expect(await statusOf(post(`publicKey=&publicKey=${keys.public_key}`))).toBe(401)
  expect(await statusOf(post(`PUBLICKEY=${keys.public_key}`))).toBe(401)
  expect(await statusOf(post(`publicKey[]=${keys.public_key}`))).toBe(401)
  for (const query of [
    'limit=1&limit=2',
    'sort=newest&sort=oldest',
    'score_min=1&score_min=2',
    'limit[]=1',
    'limit[a]=1',
  ]) {
    const path = `/account/domains/${OURS}/identifications?${query}`
    expect(await statusOf({ path, headers: bearer(tokens.owner) }), query).toBe(400)
  }
  for (const headers of [
    { authorization: ['Bearer wrong', `Bearer ${keys.secret_key}`], 'x-svc-domain': OURS },
    { ...bearer(keys.secret_key), 'x-svc-domain': [OURS, 'other.example'] },
    { ...bearer(keys.secret_key), 'x-svc-domain': ['other.example', OURS] },
  ])
    expect(await statusOf({ path: '/v1/profile', headers })).toBe(401)
  const [first, second] = await Promise.all([
    history(server, 'user_hid/a?limit=1&limit=50'),
    history(server, 'user_hid/a?limit=1'),
  ])
  expect(first.text).toBe(second.text)
})

test('other spellings of a path do not reach its route', async () => {
  const { keys, tokens } = server
  for (const path of [
    '/account//me',
    '//account/me',
    '/account/me/',
    '/ACCOUNT/ME',
    '/account/%6de',
    '/account/./me',
    '/x/../account/me',
    '/account/me;x=1',
    '/account/me%20',
    '/account%2fme',
  ]) {
    const { status, text } = await rawRequest(server, { path })
    expect([401, 404], path).toContain(status)
    expect(text, path).not.toContain('owner@')
  }
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const headers = { ...bearer(tokens.owner), 'x-http-method-override': 'GET', 'x-method-override': 'GET' }
    expect((await rawRequest(server, { method, path: '/account/me', headers })).status).toBe(404)
  }
  for (const headers of [{ 'x-original-url': '/account/users' }, { 'x-rewrite-url': '/account/users' }]) {
    const answer = await rawRequest(server, {
      path: '/health',
      headers: { ...bearer(tokens.owner), ...headers },
    })
    expect(answer.text).not.toContain('owner@')
  }
  const absolute = await rawRequest(server, {
    path: `http://evil.example/api/v1/history/user_hid/x`,
    headers: bearer(keys.api_key),
  })
  expect(absolute.status).toBe(404)
})

const TRAVERSALS = [
  '../secrets.json',
  '..%2fsecrets.json',
  '..%2f..%2f..%2fpackage.json',
  '%2e%2e/%2e%2e/package.json',
  '%2e%2e%2f%2e%2e%2fpackage.json',
  '..%252f..%252fpackage.json',
  '....//....//package.json',
  '..%5c..%5cpackage.json',
  '..\\..\\package.json',
  '%2fetc%2fpasswd',
  '/etc/passwd',
  'index.js%00.svg',
  '..%c0%afpackage.json',
  'file:%2f%2f%2fetc%2fpasswd',
]

test('no path reaches a file outside the served ones', async () => {
  const secrets = JSON.parse(await readFile(join(server.directory, 'secrets.json'), 'utf8').catch(() => '{}'))
  const forbidden = [
    ...Object.values(secrets as Record<string, string>),
    '"dependencies"',
    'root:x:0:0',
    '"devDependencies"',
  ]
  for (const folder of ['/', '/dashboard/', '/dashboard/assets/', '/docs/', '/schemas/', '/agent/', '/demo/'])
    for (const name of TRAVERSALS) {
      const path = `${folder}${name}`
      const { status, text } = await rawRequest(server, { path })
      expect([200, 400, 404], path).toContain(status)
      for (const secret of forbidden) expect(text.includes(secret), path).toBe(false)
    }
})
