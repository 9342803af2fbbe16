import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { Http2ServerRequest } from 'node:http2'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { formatAddress, parseAddress } from '../../lib/parse-address.ts'
import { type ConnectionEvidence, NO_CONNECTION_EVIDENCE, unavailable } from '../../visit/network-evidence.ts'
import type { Kernel } from '../kernel/kernel.ts'
import {
  type Connection,
  connectionEvidence,
  descriptorOf,
  type EvidenceDeps,
  roundTripEvidence,
} from './connection-evidence.ts'
import { createHttp2Sessions } from './http2.ts'
import { readHello, readHttp2, readProxy } from './openings.ts'
import { createTlsStage } from './tls.ts'

export interface ConnectionListenerDeps extends EvidenceDeps {
  /** Whether an address is one of a balancer whose PROXY header is believed. */
  isBalancer(address: string): boolean
  /** Certificate chain and key in PEM; undefined for plain HTTP. */
  tls: { cert: string; key: string } | undefined
  /** How long each step before the first request may take; ten seconds outlast two lost packets. */
  openingTimeoutMs?: number
  /** Milliseconds of a monotonic clock. */
  clock?: () => number
}

export interface ListenerTimeouts {
  requestTimeoutMs: number
}

type ListenerRequest = IncomingMessage | Http2ServerRequest

export interface ConnectionListener {
  /**
   * The server that Fastify's `serverFactory` asks for: HTTP/1.1 and, with TLS, HTTP/2 on one port. Closing it
   * lets requests under way finish and drops what has not come that far; `closeAllConnections` cuts off the rest.
   * @throws when certificate and key cannot be used
   */
  serve(handler: RequestListener, timeouts: ListenerTimeouts): Server
  evidenceOf(request: ListenerRequest): ConnectionEvidence
  /** Read anew at each call, for as long as the connection of the request lives. */
  tcpRoundTripOf(request: ListenerRequest): ConnectionEvidence['tcpRoundTrip']
}

const OPENING_TIMEOUT_MS = 10_000
/** More than the minute after which balancers drop idle connections, so that it is never us first. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000

export function createConnectionListener(deps: ConnectionListenerDeps): ConnectionListener {
  /** By what a request leads to: its socket, or itself with HTTP/2, whose sockets are hidden. */
  const connections = new WeakMap<object, Connection>()
  const connectionOf = (request: ListenerRequest) => connections.get(request) ?? connections.get(request.socket)

  return {
    serve: (handler, timeouts) => serve(handler, timeouts, connections, deps),
    evidenceOf(request) {
      const connection = connectionOf(request)
      return connection ? connectionEvidence(connection, request, deps) : NO_CONNECTION_EVIDENCE
    },
    tcpRoundTripOf(request) {
      const connection = connectionOf(request)
      return connection ? roundTripEvidence(connection, deps) : NO_CONNECTION_EVIDENCE.tcpRoundTrip
    },
  }
}

function serve(
  handler: RequestListener,
  { requestTimeoutMs }: ListenerTimeouts,
  connections: WeakMap<object, Connection>,
  deps: ConnectionListenerDeps,
): Server {
  const { clock = () => performance.now(), openingTimeoutMs: timeoutMs = OPENING_TIMEOUT_MS } = deps
  const server = createServer(
    { requestTimeout: requestTimeoutMs, keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS },
    handler,
  )
  const serveHttp1 = takeConnections(server, accept)
  const http2 = createHttp2Sessions(handler, { requestTimeoutMs, keepAliveTimeoutMs: KEEP_ALIVE_TIMEOUT_MS })
  const tls = deps.tls && createTlsStage(deps.tls, timeoutMs, secured)
  const open = new Set<Socket>()
  /** Sockets no HTTP server has yet. */
  const opening = new Set<Socket>()

  function accept(socket: Socket): void {
    const connection = accepted(socket, deps.kernel, clock())
    if (!connection) return
    connections.set(socket, connection)
    open.add(socket)
    opening.add(socket)
    socket.once('close', () => {
      open.delete(socket)
      opening.delete(socket)
    })
    const next = tls ? () => openTls(connection) : () => hand(connection, socket)
    if (deps.isBalancer(connection.peer.address)) readProxy(connection, timeoutMs, next)
    else next()
  }

  function openTls(connection: Connection): void {
    readHello(connection, { timeoutMs, clock }, (hello) => tls?.(connection, hello))
  }

  function secured(socket: TLSSocket, connection: Connection): void {
    connections.set(socket, connection)
    if (socket.alpnProtocol === 'h2') readHttp2(connection, socket, timeoutMs, () => hand(connection, socket))
    else hand(connection, socket)
  }

  function hand(connection: Connection, socket: Socket | TLSSocket): void {
    opening.delete(connection.socket)
    nameVisitor(socket, connection)
    if ('alpnProtocol' in socket && socket.alpnProtocol === 'h2')
      http2.serve(socket, (request) => connections.set(request, connection))
    else serveHttp1(socket)
  }

  server.on('listening', () => {
    const fd = descriptorOf(server)
    if (fd !== undefined) deps.kernel.saveSyns(fd)
  })
  let closing = false
  server.on('request', (_request, response) => {
    // Answered after the close began: its connection is idle now, and nobody would look again.
    response.once('close', () => closing && server.closeIdleConnections())
  })
  const close = server.close.bind(server)
  server.close = (done) => {
    closing = true
    for (const socket of opening) socket.destroy()
    http2.close()
    return close(done)
  }
  // Node's own knows none of HTTP/2.
  server.closeAllConnections = () => {
    for (const socket of open) socket.destroy()
  }
  return server
}

/** Puts `accept` before the HTTP/1 server: its own listener becomes a function for what has passed. */
function takeConnections(server: Server, accept: (socket: Socket) => void): (socket: Socket) => void {
  const own = server.listeners('connection')
  server.removeAllListeners('connection').on('connection', accept)
  return (socket) => {
    for (const listener of own) listener.call(server, socket)
  }
}

/** Undefined for a connection that was gone before it was looked at. */
function accepted(socket: Socket, kernel: Kernel, acceptedAtMs: number): Connection | undefined {
  // Whoever holds the socket has its own listener; in between nobody would.
  socket.on('error', () => {})
  const { remoteAddress, remotePort } = socket
  const fd = descriptorOf(socket)
  if (remoteAddress === undefined || remotePort === undefined || fd === undefined) {
    socket.destroy()
    return undefined
  }
  const address = parseAddress(remoteAddress)
  return {
    socket,
    acceptedAtMs,
    peer: { address: address ? formatAddress(address) : remoteAddress, port: remotePort },
    balanced: false,
    syn: kernel.savedSyn(fd),
    tls: unavailable('plain_http'),
    http2: unavailable('http1'),
  }
}

/** Makes whoever asks the socket for its other end meet the visitor that a PROXY header named. */
function nameVisitor(socket: Socket, { peer, balanced }: Connection): void {
  if (!balanced) return
  Object.defineProperty(socket, 'remoteAddress', { value: peer.address })
  Object.defineProperty(socket, 'remotePort', { value: peer.port })
}
