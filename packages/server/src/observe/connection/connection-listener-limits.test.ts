import { get } from 'node:http'
import { duplexPair } from 'node:stream'
import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  bodyOf,
  exchange,
  http2,
  https,
  NGHTTP2_CANCEL,
  runningListener,
  tcp,
  tlsOver,
} from '../../../test/running-listener.ts'
import { selfSignedCertificate } from '../../../test/self-signed-certificate.ts'

let tls: { cert: string; key: string }
beforeAll(async () => {
  tls = await selfSignedCertificate()
})

describe('invalid clients', () => {
  test('plain HTTP on the TLS port gets an error that says so', async () => {
    const { port } = await runningListener({ tls })
    const answer = await exchange(await tcp(port), '/who')
    expect(answer).toMatch(/^HTTP\/1.1 400 /)
    expect(JSON.parse(bodyOf(answer))).toEqual({ error: 'this port speaks HTTPS' })
  })

  test('a malformed request is rejected over TLS as it is without', async () => {
    const { port } = await runningListener({ tls })
    const socket = await tlsOver(await tcp(port))
    socket.write('nonsense\r\n\r\n')
    expect(JSON.parse(bodyOf(await text(socket)))).toEqual({ error: 'the request could not be read' })
  })

  test.each([
    ['neither TLS nor HTTP', Buffer.from([0, 1, 2, 3])],
    ['a broken hello', Buffer.from([22, 3, 1, 0, 4, 1, 0, 0, 0])],
    [
      'a hello of more than 20 kB',
      Buffer.from('16030140000100ffff'.padEnd(2 * 16_389, '00').concat('1603014000'), 'hex'),
    ],
  ])('%s closes the connection, and the next visitor is served', async (_name, bytes) => {
    const { port } = await runningListener({ tls })
    const socket = await tcp(port)
    socket.write(bytes)
    expect(await text(socket).catch(() => '')).not.toContain('HTTP')
    expect(await https(port, '/who')).toContain('"available":true')
  })

  test('a broken HTTP/2 preface closes the connection', async () => {
    const { port } = await runningListener({ tls })
    const socket = await tlsOver(await tcp(port), ['h2'])
    expect(await exchange(socket, '/who').catch(() => '')).not.toContain('evidence')
  })

  test.each([
    ['a hello', { balancer: false, bytes: '160301' }],
    ['a PROXY header', { balancer: true, bytes: 'PROX' }],
    ['anything', { balancer: false, bytes: '' }],
  ])('a client that never finishes %s is dropped', async (_name, { balancer, bytes }) => {
    const { port } = await runningListener({ tls, isBalancer: () => balancer, openingTimeoutMs: 50 })
    const socket = await tcp(port)
    socket.write(bytes === '160301' ? Buffer.from(bytes, 'hex') : bytes)
    expect(await text(socket).catch(() => '')).toBe('')
  })

  test('a client that never finishes the handshake is dropped', async () => {
    const { port } = await runningListener({ tls, openingTimeoutMs: 50 })
    const socket = await tcp(port)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.write(await nodeHello())
    socket.resume()
    await closed
  })

  test('a body that is too slow ends its request', async () => {
    const { port } = await runningListener({ tls, requestTimeoutMs: 50 })
    const { session } = http2(port)
    const stream = session.request({
      ':path': '/length',
      ':method': 'POST',
      'content-type': 'application/json',
    })
    stream.on('error', () => {})
    await new Promise((resolve) => stream.once('close', resolve))
    expect(stream.rstCode).toBe(NGHTTP2_CANCEL)
  })
})

/** The ClientHello of Node's TLS client. */
const nodeHello = (): Promise<Buffer> =>
  new Promise((resolve) => {
    const [ours, theirs] = duplexPair()
    theirs.once('data', resolve)
    connect({ socket: ours }).on('error', () => {})
  })

describe('closing', () => {
  test('drops idle connections and those without a request yet', async () => {
    const { port, app } = await runningListener({ tls })
    const unfinished = await tcp(port)
    unfinished.write(Buffer.from('160301', 'hex'))
    const idle = await tlsOver(await tcp(port))
    idle.write('GET /who HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await new Promise((resolve) => idle.once('data', resolve))
    const { session, ask } = http2(port)
    await ask({ ':path': '/who' })
    await app.close()
    expect(session.closed || session.destroyed).toBe(true)
  })

  test('lets a request in progress finish and closes its keep-alive connection afterwards', async () => {
    const { port, app, slowCame, release } = await runningListener({ tls })
    const socket = await tlsOver(await tcp(port))
    socket.write('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n')
    const answer = text(socket)
    await slowCame
    const closed = app.close()
    release()
    expect(JSON.parse(bodyOf(await answer))).toEqual({ done: true })
    await closed
  })

  test('lets an HTTP/2 request in progress finish', async () => {
    const { port, app, slowCame, release } = await runningListener({ tls })
    const answer = http2(port).ask({ ':path': '/slow' })
    await slowCame
    const closed = app.close()
    release()
    expect(JSON.parse(await answer)).toEqual({ done: true })
    await closed
  })

  test('accepts no new connections', async () => {
    const { port, app } = await runningListener()
    await app.close()
    const failed = new Promise((resolve) => get({ port, host: '127.0.0.1' }).once('error', resolve))
    expect(await failed).toMatchObject({ code: 'ECONNREFUSED' })
  })
})

test('a thousand unfinished hellos use at most 20 kB each, and other visitors are still served', async () => {
  const { port, app } = await runningListener({
    tls,
    limits: { connectionsPerAddressMax: 2_000, opensPerSecondMax: 200 },
  })
  // A record of 16 kB that lacks its last byte.
  const start = Buffer.concat([Buffer.from('1603014000010fff', 'hex'), Buffer.alloc(16_380)])
  const before = process.memoryUsage()
  const sockets = await Promise.all(Array.from({ length: 1_000 }, () => tcp(port)))
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.write(start, resolve))))
  expect(JSON.parse(await https(port, '/who'))).toMatchObject({ version: '1.1' })
  const after = process.memoryUsage()
  expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(100e6)
  const count = await new Promise((resolve) => app.server.getConnections((_error, open) => resolve(open)))
  expect(count).toBeGreaterThanOrEqual(1_000)
})
