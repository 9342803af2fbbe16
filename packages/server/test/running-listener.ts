import { connect as connectHttp2, constants, type OutgoingHttpHeaders } from 'node:http2'
import { request as httpsRequest } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import Fastify, { type FastifyInstance } from 'fastify'
import { onTestFinished } from 'vitest'
import { WebSocketServer } from 'ws'
import { answerParserError } from '../src/http/error-handler.ts'
import { staticBody } from '../src/http/static-body.ts'
import {
  type ConnectionListener,
  type ConnectionListenerDeps,
  createConnectionListener,
} from '../src/observe/connection/connection-listener.ts'
import { openKernel } from '../src/observe/kernel/kernel.ts'
import type { ConnectionEvidence } from '../src/visit/network-evidence.ts'

/** The app's response to `/who`: how it sees the client. */
export interface Who {
  ip: string
  version: string
  evidence: ConnectionEvidence
}

export interface RunningListener {
  listener: ConnectionListener
  app: FastifyInstance
  port: number
  /** Lets the app answer requests to `/slow`. */
  release(): void
  /** Resolves when the first of them arrives. */
  slowCame: Promise<void>
}

const LARGE_BYTES = 32 * 1024 * 1024

const kernel = openKernel()

/** The kernel evidence that this machine can provide. */
export const FROM_KERNEL = kernel.available
  ? { available: true, source: 'kernel' }
  : { available: false, reason: kernel.reason }

/** A small app behind the listener, with the settings of the real one. */
export async function runningListener(
  options: Partial<ConnectionListenerDeps> & { requestTimeoutMs?: number } = {},
): Promise<RunningListener> {
  const { requestTimeoutMs = 30_000, ...deps } = options
  const listener = createConnectionListener({
    kernel,
    isBalancer: () => false,
    isTrustedProxy: () => false,
    tls: undefined,
    ...deps,
  })
  const app = Fastify({
    logger: false,
    serverFactory: (handler) => listener.serve(handler, { requestTimeoutMs, takesUpgrade: () => true }),
    forceCloseConnections: 'idle',
    clientErrorHandler: answerParserError,
  })
  const held = Promise.withResolvers<void>()
  const came = Promise.withResolvers<void>()
  app.get(
    '/who',
    (request): Who => ({
      ip: request.ip,
      version: request.raw.httpVersion,
      evidence: listener.evidenceOf(request.raw),
    }),
  )
  app.post('/length', (request) => ({ length: (request.body as { text: string }).text.length }))
  // More than the sockets of both sides hold.
  const large = staticBody('text/plain', Buffer.alloc(LARGE_BYTES, 'x'))
  app.get('/large', (_request, reply) => large.send(reply))
  app.get('/slow', async () => {
    came.resolve()
    await held.promise
    return { done: true }
  })
  const sockets = new WebSocketServer({ noServer: true })
  app.server.on('upgrade', (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (ws) => {
      ws.send(JSON.stringify(listener.evidenceOf(request)))
      ws.on('message', (data) => ws.send(String(data)))
    })
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(async () => {
    held.resolve()
    for (const ws of sockets.clients) ws.terminate()
    await app.close()
  })
  const { port } = app.server.address() as AddressInfo
  return { listener, app, port, release: held.resolve, slowCame: came.promise }
}

/** A TCP connection that the test closes at its end. */
export async function tcp(port: number, host = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host })
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  await new Promise((resolve) => socket.once('connect', resolve))
  return socket
}

/** TLS over a connection that may already have sent data. */
export const tlsOver = (socket: Socket, ALPNProtocols: string[] = []): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const tls = connectTls({ socket, rejectUnauthorized: false, ALPNProtocols, servername: 'localhost' })
    onTestFinished(() => void tls.destroy())
    tls.once('error', reject).once('secureConnect', () => resolve(tls))
  })

/** Writes one request and reads the connection to its end. */
export async function exchange(socket: Socket, path: string): Promise<string> {
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
  return await text(socket)
}

export const bodyOf = (answer: string): string => answer.slice(answer.indexOf('\r\n\r\n') + 4)

export const whoOver = async (socket: Socket): Promise<Who> =>
  JSON.parse(bodyOf(await exchange(socket, '/who')))

export const https = (port: number, path: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', path, rejectUnauthorized: false, agent: false as const }
    httpsRequest(options, (response) => resolve(text(response)))
      .on('error', reject)
      .end()
  })

/** One HTTP/2 session, and requests on it. */
export function http2(port: number, over?: Socket) {
  const session = connectHttp2(`https://127.0.0.1:${port}`, {
    rejectUnauthorized: false,
    ...(over && { createConnection: () => over }),
  })
  session.on('error', () => {})
  onTestFinished(() => session.destroy())
  return {
    session,
    ask(headers: OutgoingHttpHeaders, body?: string): Promise<string> {
      const stream = session.request(headers, { endStream: body === undefined })
      if (body !== undefined) stream.end(body)
      return text(stream)
    },
  }
}

export const { NGHTTP2_CANCEL } = constants
