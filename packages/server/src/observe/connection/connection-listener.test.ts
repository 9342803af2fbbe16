import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import {
  bodyOf,
  FROM_KERNEL,
  http2,
  https,
  runningListener,
  tcp,
  tlsOver,
  type Who,
  whoOver,
} from '../../../test/running-listener.ts'
import { selfSignedCertificate } from '../../../test/self-signed-certificate.ts'

let tls: { cert: string; key: string }
beforeAll(async () => {
  tls = await selfSignedCertificate()
})

const LOOPBACK = '127.0.0.1'

describe('a direct connection', () => {
  test('plain HTTP: evidence of the kernel and the headers, and reasons for the rest', async () => {
    const { port } = await runningListener()
    const { ip, version, evidence } = await whoOver(await tcp(port))
    expect([ip, version]).toEqual([LOOPBACK, '1.1'])
    expect(evidence).toMatchObject({
      syn: FROM_KERNEL,
      tcpRoundTrip: FROM_KERNEL,
      tls: { available: false, reason: 'plain_http' },
      http2: { available: false, reason: 'http1' },
      headers: { available: true, value: { httpVersion: '1.1', names: ['Host', 'Connection'] } },
    })
  })

  test('HTTP/1.1 over TLS', async () => {
    const { port } = await runningListener({ tls })
    const who: Who = JSON.parse(await https(port, '/who'))
    expect([who.ip, who.version]).toEqual([LOOPBACK, '1.1'])
    expect(who.evidence).toMatchObject({
      syn: FROM_KERNEL,
      tcpRoundTrip: FROM_KERNEL,
      tls: {
        available: true,
        source: 'tls',
        value: { ja4: expect.stringMatching(/^t13i/), version: 'TLSv1.3' },
      },
      http2: { available: false, reason: 'http1' },
    })
  })

  test('HTTP/2: the fingerprint of the preface for each request of the session', async () => {
    const { port } = await runningListener({ tls })
    const { ask } = http2(port)
    const first: Who = JSON.parse(await ask({ ':path': '/who' }))
    const second: Who = JSON.parse(await ask({ ':path': '/who' }))
    expect([first.ip, first.version]).toEqual([LOOPBACK, '2.0'])
    expect(first.evidence).toMatchObject({
      syn: FROM_KERNEL,
      tcpRoundTrip: FROM_KERNEL,
      tls: { available: true, value: { alpn: 'h2', ja4: expect.stringMatching(/^t13i\d{4}h2_/) } },
      http2: {
        available: true,
        value: { fingerprint: expect.stringMatching(/^[\d:;]*\|\d+\|0\|(\w,){3}\w$/) },
      },
    })
    expect(second.evidence.http2).toEqual(first.evidence.http2)
  })

  test('a large body arrives intact over HTTP/1.1 and HTTP/2', async () => {
    const { port } = await runningListener({ tls })
    const body = JSON.stringify({ text: 'x'.repeat(500_000) })
    const headers = { ':path': '/length', ':method': 'POST', 'content-type': 'application/json' }
    expect(JSON.parse(await http2(port).ask(headers, body))).toEqual({ length: 500_000 })
    const socket = await tlsOver(await tcp(port))
    socket.write(
      `POST /length HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    )
    socket.write(body)
    expect(JSON.parse(bodyOf(await text(socket)))).toEqual({ length: 500_000 })
  })

  test('the hello gap is the delay of the client', async () => {
    let nowMs = 1_000
    const { port, app } = await runningListener({ tls, clock: () => nowMs })
    const accepted = new Promise((resolve) => app.server.once('connection', resolve))
    const socket = await tcp(port)
    await accepted
    nowMs += 120
    const { evidence } = await whoOver(await tlsOver(socket))
    expect(evidence.tls).toMatchObject({ value: { helloGapMs: 120 } })
  })

  test('the round trip can be measured again while the connection is open, not afterwards', async () => {
    const { port, app, listener } = await runningListener()
    const came = new Promise<IncomingMessage>((resolve) => app.server.once('request', resolve))
    const socket = await tcp(port)
    socket.write('GET /who HTTP/1.1\r\nHost: localhost\r\n\r\n')
    const request = await came
    expect(listener.tcpRoundTripOf(request)).toMatchObject(FROM_KERNEL)
    const closed = new Promise((resolve) => request.socket.once('close', resolve))
    socket.destroy()
    await closed
    expect(listener.tcpRoundTripOf(request)).toMatchObject({ available: false })
  })
})

describe('an HTTP/2 client that waits for SETTINGS', () => {
  test('gets them before its first request, which is then served', async () => {
    const { port } = await runningListener({ tls })
    const socket = await tlsOver(await tcp(port), ['h2'])
    const { session, ask } = http2(port, socket)
    await new Promise((resolve) => session.once('remoteSettings', resolve))
    const who: Who = JSON.parse(await ask({ ':path': '/who' }))
    // Node sends no WINDOW_UPDATE, so the preface may be incomplete.
    expect(who.evidence.http2).toEqual({ available: false, reason: 'cut_short' })
  })

  test('has a fingerprint if it has sent WINDOW_UPDATE', async () => {
    const { port } = await runningListener({ tls })
    const { session, ask } = http2(port, await tlsOver(await tcp(port), ['h2']))
    session.once('connect', () => session.setLocalWindowSize(2 ** 20))
    await new Promise((resolve) => session.once('remoteSettings', resolve))
    const who: Who = JSON.parse(await ask({ ':path': '/who' }))
    expect(who.evidence.http2).toMatchObject({
      value: { fingerprint: expect.stringContaining(`|${2 ** 20 - 65_535}|0|`) },
    })
  })
})

describe('WebSockets', () => {
  test.each([
    ['in the clear', false],
    ['over TLS', true],
  ])('%s: messages go both ways, and the connection has its evidence', async (_name, secure) => {
    const { port } = await runningListener(secure ? { tls } : {})
    const ws = new WebSocket(`${secure ? 'wss' : 'ws'}://127.0.0.1:${port}/`, { rejectUnauthorized: false })
    onTestFinished(() => ws.terminate())
    expect(JSON.parse(await nextMessage(ws))).toMatchObject({ syn: FROM_KERNEL, tls: { available: secure } })
    ws.send('hello')
    expect(await nextMessage(ws)).toBe('hello')
  })
})

const nextMessage = (ws: WebSocket): Promise<string> =>
  new Promise((resolve, reject) => {
    ws.once('message', (data) => resolve(String(data))).once('error', reject)
  })
