import type { Socket } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import { type ClientHello, RECORD_HANDSHAKE, readClientHello } from './client-hello.ts'
import { peek } from './peek.ts'

/** Current hellos have 1.9 to 2.5 kB; the rest is room for larger post-quantum key shares. */
const HELLO_BYTES_MAX = 20_000

/**
 * Waits for the whole ClientHello and calls `onHello` with it, undefined where it could not be parsed; the TLS
 * library then decides. Plain HTTP gets an error response, anything else is closed.
 */
export function peekHello(
  socket: Socket,
  timeoutMs: number,
  onHello: (hello: ClientHello | undefined) => void,
): void {
  let hello: ReturnType<typeof readClientHello> | undefined
  let first: number | undefined
  const inspect = (bytes: Buffer): number => {
    first = bytes[0]
    hello = readClientHello(bytes)
    return hello.state === 'more' ? hello.needBytes : 0
  }
  peek(socket, inspect, { bytesMax: HELLO_BYTES_MAX, timeoutMs }, (end) => {
    if (end === 'enough' && first === RECORD_HANDSHAKE)
      onHello(hello?.state === 'done' ? hello.value : undefined)
    else if (end === 'enough' && isUpperCase(first)) refusePlainHttp(socket)
    else socket.destroy()
  })
}

/** The first byte of every HTTP method. */
const isUpperCase = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x41 && byte <= 0x5a

/** For a URL typed without `https`: an error message is more useful than a closed connection. */
function refusePlainHttp(socket: Socket): void {
  const body = `${JSON.stringify({ error: 'this port speaks HTTPS' })}\n`
  const head = [
    'HTTP/1.1 400 Bad Request',
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}

type OnSecure = (socket: TLSSocket) => void

/** A function that runs the TLS handshake on a socket whose hello was only peeked at. */
export function createTlsHandshake(
  { cert, key }: { cert: string; key: string },
  timeoutMs: number,
): (socket: Socket, onSecure: OnSecure) => void {
  const server = createServer({
    cert,
    key,
    ALPNProtocols: ['h2', 'http/1.1'],
    handshakeTimeout: timeoutMs,
  })
  /** A TLS socket does not expose the socket it wraps, but both have the same addresses and ports. */
  const pending = new Map<string, OnSecure>()

  server.on('tlsClientError', (_error, socket) => socket.destroy())
  server.on('secureConnection', (secured) => {
    secured.on('error', () => {})
    const onSecure = pending.get(endpointsOf(secured))
    if (onSecure) onSecure(secured)
    else secured.destroy()
  })
  return (socket, onSecure) => {
    const endpoints = endpointsOf(socket)
    pending.set(endpoints, onSecure)
    socket.once('close', () => pending.delete(endpoints))
    // Node's HTTP server, which accepted the socket, allows half-open ones; its TLS server does not.
    socket.allowHalfOpen = false
    server.emit('connection', socket)
  }
}

const endpointsOf = ({ remoteAddress, remotePort, localAddress, localPort }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`
