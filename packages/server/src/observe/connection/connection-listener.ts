import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Http2ServerRequest } from 'node:http2'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { formatAddress, parseAddress } from '../../lib/address.ts'
import {
  type ConnectionEvidence,
  NO_CONNECTION_EVIDENCE,
  observed,
  unavailable,
} from '../../visit/network-evidence.ts'
import type { Kernel } from '../kernel/kernel.ts'
import {
  type Connection,
  connectionEvidence,
  descriptorOf,
  type EvidenceDeps,
  roundTripEvidence,
} from './connection-evidence.ts'
import {
  type ConnectionGuard,
  type ConnectionLimits,
  type ConnectionLoad,
  type CutReason,
  createConnectionGuard,
} from './connection-guard.ts'
import { helloFacts } from './hello-facts.ts'
import { createHttp2Sessions, peekHttp2Preface } from './http2.ts'
import { ja4 } from './ja4.ts'
import { createOneAtATime } from './one-at-a-time.ts'
import { consumeProxyHeader } from './proxy-protocol.ts'
import { createTlsHandshake, peekHello } from './tls.ts'

export interface ConnectionListenerDeps extends EvidenceDeps {
  /** Whether the address is a load balancer whose PROXY header is trusted. */
  isBalancer(address: string): boolean
  /** Certificate chain and key in PEM; undefined for plain HTTP. */
  tls: { cert: string; key: string } | undefined
  /** How long each step before the first request may take; the default of ten seconds survives two lost packets. */
  openingTimeoutMs?: number
  limits?: Partial<ConnectionLimits>
  onCut?: (reason: CutReason) => void
  /** Milliseconds of a monotonic clock. */
  clock?: () => number
}

export interface ServeOptions {
  requestTimeoutMs: number
  /**
   * Whether to emit `upgrade` for a request that asks for another protocol; by default never. Other requests are
   * served as if they had not asked, as RFC 9110, section 7.8 allows: the JDK's client asks for `h2c` by default.
   */
  takesUpgrade?: (request: IncomingMessage) => boolean
}

type ListenerRequest = IncomingMessage | Http2ServerRequest

/** Accepts connections, observes how each one opens, and hands it to the HTTP server. */
export interface ConnectionListener {
  /**
   * The server for Fastify's `serverFactory`: HTTP/1.1 and, with TLS, HTTP/2 on one port. `close` lets requests
   * in progress finish and drops connections without one; `closeAllConnections` cuts off the rest.
   * @throws when the certificate or the key cannot be used
   */
  serve(handler: RequestListener, options: ServeOptions): Server
  evidenceOf(request: ListenerRequest): ConnectionEvidence
  /** Measured again at each call while the request's connection is open. */
  tcpRoundTripOf(request: ListenerRequest): ConnectionEvidence['tcpRoundTrip']
  load(): ConnectionLoad
}

const OPENING_TIMEOUT_MS = 10_000
/** Balancers drop idle connections after a minute; the server must not be the one that closes first. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000
/** How often Node looks for requests that take longer than their timeout. */
const TIMEOUT_CHECKS_MS = 1_000

export function createConnectionListener(deps: ConnectionListenerDeps): ConnectionListener {
  const { clock = () => performance.now(), isTrustedProxy } = deps
  const guard = createConnectionGuard({
    limits: deps.limits,
    isTrustedProxy,
    onCut: deps.onCut,
    clock,
  })
  /** Keyed by a request's socket, or by the request itself with HTTP/2, which hides its socket. */
  const connections = new WeakMap<object, Connection>()
  const connectionOf = (request: ListenerRequest) =>
    connections.get(request) ?? connections.get(request.socket)

  return {
    serve: (handler, options) => serve(handler, options, connections, { ...deps, clock, guard }),
    evidenceOf(request) {
      const connection = connectionOf(request)
      return connection ? connectionEvidence(connection, request, deps) : NO_CONNECTION_EVIDENCE
    },
    tcpRoundTripOf(request) {
      const connection = connectionOf(request)
      return connection ? roundTripEvidence(connection, deps) : NO_CONNECTION_EVIDENCE.tcpRoundTrip
    },
    load: guard.load,
  }
}

function serve(
  handler: RequestListener,
  { requestTimeoutMs, takesUpgrade = () => false }: ServeOptions,
  connections: WeakMap<object, Connection>,
  deps: ConnectionListenerDeps & { clock(): number; guard: ConnectionGuard },
): Server {
  const { clock, guard, openingTimeoutMs: timeoutMs = OPENING_TIMEOUT_MS } = deps
  const oneAtATime = createOneAtATime()
  const server = createServer(
    {
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: TIMEOUT_CHECKS_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      shouldUpgradeCallback: takesUpgrade,
    },
    (request, response) => {
      const { socket } = request
      const connection = connections.get(socket)
      if (!connection) handler(request, response)
      // Requests that came in the same packet as one too many are not worth any work.
      else if (guard.asked(connection, response))
        oneAtATime(socket, response, () => guard.inTurn(connection, () => handler(request, response)))
    },
  )
  server.prependListener('request', closeAfterRefusedUpgrade)
  server.prependListener('upgrade', ({ socket }) => {
    const connection = connections.get(socket)
    if (connection) guard.upgraded(connection)
  })
  const serveHttp1 = replaceConnectionListener(server, accept)
  const http2 = createHttp2Sessions(handler, { requestTimeoutMs, keepAliveTimeoutMs: KEEP_ALIVE_TIMEOUT_MS })
  const handshake = deps.tls && createTlsHandshake(deps.tls, timeoutMs)
  const open = new Set<Socket>()
  /** Sockets that no HTTP server has yet. */
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
    guard.opened(connection)
    if (socket.destroyed) return
    const next = () => (handshake ? openTls(connection, handshake) : serveRequests(connection, socket))
    if (deps.isBalancer(connection.peer.address))
      consumeProxyHeader(socket, timeoutMs, (header) => {
        connection.balanced = header !== undefined
        connection.peer = header?.source ?? connection.peer
        if (header) guard.named(connection)
        if (!socket.destroyed) next()
      })
    else next()
  }

  function openTls(connection: Connection, shakeHands: NonNullable<typeof handshake>): void {
    peekHello(connection.socket, timeoutMs, (hello) => {
      const helloGapMs = clock() - connection.acceptedAtMs
      const secure = (socket: TLSSocket): void => {
        const version = socket.getProtocol() ?? ''
        const alpn = socket.alpnProtocol || ''
        connection.tls = hello
          ? observed('tls', { ja4: ja4(hello), version, alpn, helloGapMs, hello: helloFacts(hello) })
          : unavailable('unreadable')
        secured(connection, socket)
      }
      guard.inTurn(connection, () => shakeHands(connection.socket, secure))
    })
  }

  function secured(connection: Connection, socket: TLSSocket): void {
    connections.set(socket, connection)
    if (socket.alpnProtocol === 'h2')
      peekHttp2Preface(socket, timeoutMs, (fingerprint) => {
        connection.http2 = fingerprint
        guard.inTurnOfSessions(connection, () => serveRequests(connection, socket))
      })
    else serveRequests(connection, socket)
  }

  function serveRequests(connection: Connection, socket: Socket | TLSSocket): void {
    opening.delete(connection.socket)
    // The other connections of an address may have become too many during the handshake.
    if (!guard.admits(connection)) return
    setRemoteAddress(socket, connection)
    if ('alpnProtocol' in socket && socket.alpnProtocol === 'h2')
      http2.serve(socket, {
        onRequest(request, response) {
          connections.set(request, connection)
          return guard.asked(connection, response)
        },
        inTurn: (work) => guard.inTurn(connection, work),
        isDestroyed: () => connection.socket.destroyed,
      })
    else serveHttp1(socket)
  }

  server.on('listening', () => {
    const fd = descriptorOf(server)
    if (fd !== undefined) deps.kernel.saveSyns(fd)
  })
  let closing = false
  server.on('request', (_request, response) => {
    // Nothing else closes a connection that becomes idle after `close` was called.
    response.once('close', () => closing && server.closeIdleConnections())
  })
  const close = server.close.bind(server)
  server.close = (done) => {
    closing = true
    for (const socket of opening) socket.destroy()
    http2.close()
    guard.stop()
    return close(done)
  }
  // Node's own version does not know the HTTP/2 connections.
  server.closeAllConnections = () => {
    for (const socket of open) socket.destroy()
  }
  return server
}

/**
 * Node drops what follows a refused upgrade in the same packet, so a connection that stays open could go on in the
 * middle of a pipelined request.
 */
function closeAfterRefusedUpgrade({ headers }: IncomingMessage, response: ServerResponse): void {
  if (headers.upgrade !== undefined) response.setHeader('connection', 'close')
}

/** Installs `accept` in place of the HTTP/1 server's own connection listener, and returns the latter. */
function replaceConnectionListener(
  server: Server,
  accept: (socket: Socket) => void,
): (socket: Socket) => void {
  const own = server.listeners('connection')
  server.removeAllListeners('connection').on('connection', accept)
  return (socket) => {
    for (const listener of own) listener.call(server, socket)
  }
}

/** Undefined when the peer has already closed the connection. */
function accepted(socket: Socket, kernel: Kernel, acceptedAtMs: number): Connection | undefined {
  // Later owners of the socket add their own error listeners; between them an error must not stop the process.
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

/** Makes the socket report the client that a PROXY header named as its remote end. */
function setRemoteAddress(socket: Socket, { peer, balanced }: Connection): void {
  if (!balanced) return
  Object.defineProperty(socket, 'remoteAddress', { value: peer.address })
  Object.defineProperty(socket, 'remotePort', { value: peer.port })
}
