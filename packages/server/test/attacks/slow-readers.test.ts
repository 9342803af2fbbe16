import { connect as connectHttp2 } from 'node:http2'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import type { ConnectionLimits, CutReason } from '../../src/observe/connection/connection-guard.ts'
import { type RunningListener, runningListener, tcp } from '../running-listener.ts'
import { selfSignedCertificate } from '../self-signed-certificate.ts'

/** Clients that ask and never read, and clients that only keep connections. Loopback has many addresses. */

const ATTACKER = '127.0.0.66'
/** What the server counts for an answer that waits. */
const ANSWER_BYTES = 25_000
const GET_LARGE = 'GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n'

interface Watched extends RunningListener {
  cuts: CutReason[]
}

async function listenerWith(
  limits: Partial<ConnectionLimits>,
  options: Parameters<typeof runningListener>[0] = {},
): Promise<Watched> {
  const cuts: CutReason[] = []
  const running = await runningListener({ limits, onCut: (reason) => cuts.push(reason), ...options })
  return { ...running, cuts }
}

/** A connection of the attacker. */
async function attack(port: number, localAddress = ATTACKER): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  await new Promise((resolve) => socket.once('connect', resolve))
  return socket
}

/** The client only notices once it reads. */
async function isClosed(socket: Socket): Promise<boolean> {
  if (socket.destroyed) return true
  const closed = new Promise<boolean>((resolve) => socket.once('close', () => resolve(true)))
  socket.resume()
  return closed
}

const health = async (port: number, localAddress = '127.0.0.1'): Promise<string> => {
  const socket = await attack(port, localAddress)
  socket.write('GET /who HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  return (await text(socket)).slice(0, 15)
}

/** An HTTP/2 client that lets the server send nothing: its window is empty. */
async function withoutWindow(port: number, localAddress: string, streams: number, path: string) {
  const socket = await attack(port, localAddress)
  const session = connectHttp2('https://localhost', {
    createConnection: () => connectTls({ socket, rejectUnauthorized: false, ALPNProtocols: ['h2'] }),
    settings: { initialWindowSize: 0 },
  })
  session.on('error', () => {})
  onTestFinished(() => session.destroy())
  const closed = new Promise<void>((resolve) => session.once('close', () => resolve()))
  const headers = Array.from({ length: streams }, () => {
    const stream = session.request({ ':path': path })
    stream.on('error', () => {})
    return new Promise((resolve) => stream.once('response', resolve).once('close', resolve))
  })
  return { session, closed, headers: Promise.all(headers) }
}

test('connections whose clients do not read are closed; one that reads gets its whole answer', async () => {
  const { port, cuts } = await listenerWith({ drainWithinMs: 1_500 })
  const reading = await tcp(port)
  reading.write(GET_LARGE.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
  expect((await text(reading)).length).toBeGreaterThan(32 * 1024 * 1024)
  const sockets = await Promise.all(Array.from({ length: 20 }, () => attack(port)))
  for (const socket of sockets) socket.write(GET_LARGE)
  await expect.poll(() => cuts, { timeout: 10_000 }).toEqual(Array(20).fill('does_not_read'))
  expect(await Promise.all(sockets.map(isClosed))).not.toContain(false)
})

test('an HTTP/2 session with an empty window is closed, though its streams never end', async () => {
  const { port, cuts } = await listenerWith({ drainWithinMs: 400 }, { tls: await selfSignedCertificate() })
  const stalled = await withoutWindow(port, ATTACKER, 100, '/who')
  await stalled.headers
  expect(stalled.session.remoteSettings.maxConcurrentStreams).toBe(100)
  await stalled.closed
  expect(cuts).toEqual(['does_not_read'])
})

test('an address that leaves many answers unread gets no more connections, and others do', async () => {
  const { port, cuts } = await listenerWith(
    { unreadPerAddressMax: 150 },
    { tls: await selfSignedCertificate() },
  )
  const first = await withoutWindow(port, ATTACKER, 100, '/who')
  await first.headers
  const second = await withoutWindow(port, ATTACKER, 100, '/who')
  await second.closed
  expect(first.session.destroyed).toBe(false)
  const third = await withoutWindow(port, ATTACKER, 50, '/who')
  await third.headers
  expect(await isClosed(await attack(port))).toBe(true)
  expect(cuts).toEqual(['too_much_waiting', 'too_much_waiting'])
  const other = await withoutWindow(port, '127.0.0.1', 10, '/who')
  await other.headers
  expect(other.session.destroyed).toBe(false)
})

test('when too much waits, the client for whom most waits is cut, and others keep their answers', async () => {
  const { port, cuts, listener } = await listenerWith(
    { waitingBytesMax: 40 * ANSWER_BYTES },
    { tls: await selfSignedCertificate() },
  )
  const quiet = await withoutWindow(port, '127.0.0.1', 2, '/who')
  await quiet.headers
  for (let round = 0; round < 3; round += 1) {
    const greedy = await withoutWindow(port, ATTACKER, 90, '/who')
    await greedy.closed
  }
  expect(cuts).toEqual(Array(3).fill('too_much_waiting'))
  expect(listener.load().waitingBytes).toBeLessThanOrEqual(40 * ANSWER_BYTES)
  expect(quiet.session.destroyed).toBe(false)
})

test('an address has a share of the connections: its idle ones make room, busy ones do not', async () => {
  const { port, cuts } = await listenerWith({ connectionsPerAddressMax: 5 })
  const idle = await Promise.all(Array.from({ length: 5 }, () => attack(port)))
  expect(await health(port, ATTACKER)).toBe('HTTP/1.1 200 OK')
  expect(await isClosed(idle[0] as Socket)).toBe(true)
  const busy = await Promise.all(Array.from({ length: 5 }, () => attack(port)))
  for (const socket of busy) socket.write('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await Promise.all(idle.map(isClosed))
  // All five places are busy once the idle ones are gone.
  await expect.poll(() => health(port, ATTACKER).catch(() => '')).toBe('')
  expect(await health(port)).toBe('HTTP/1.1 200 OK')
  expect(new Set(cuts)).toEqual(new Set(['too_many_of_address']))
})

test('an address opens connections at a limited rate', async () => {
  const { port, cuts } = await listenerWith({ opensPerSecondMax: 1 })
  const sockets = await Promise.all(Array.from({ length: 40 }, () => attack(port)))
  await expect.poll(() => cuts.length).toBeGreaterThanOrEqual(40 - 20)
  expect(new Set(cuts)).toEqual(new Set(['opened_too_often']))
  expect(await isClosed(sockets.at(-1) as Socket)).toBe(true)
  expect(await health(port)).toBe('HTTP/1.1 200 OK')
})

test('when all places are taken, the address with most of them gives way to a new one', async () => {
  const { port, cuts } = await listenerWith({ connectionsMax: 10 })
  const busy = await Promise.all(Array.from({ length: 10 }, () => attack(port)))
  for (const socket of busy) socket.write('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n')
  expect(await health(port)).toBe('HTTP/1.1 200 OK')
  expect(cuts).toEqual(['too_many'])
})

test('a trusted proxy may keep as many connections as there are', async () => {
  const { port, cuts } = await listenerWith({ connectionsPerAddressMax: 3 }, { isTrustedProxy: () => true })
  await Promise.all(Array.from({ length: 20 }, () => attack(port)))
  expect(await health(port)).toBe('HTTP/1.1 200 OK')
  expect(cuts).toEqual([])
})

test('a request that does not end is answered when its time is over, not some time later', async () => {
  const { port } = await listenerWith({}, { requestTimeoutMs: 500 })
  const socket = await attack(port)
  socket.write(
    'POST /length HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
  )
  // Node alone looks for such requests every thirty seconds, which is longer than a test may take.
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /)
})
