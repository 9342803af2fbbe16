import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { observed, unavailable } from '../../visit/network-evidence.ts'
import { RECORD_HANDSHAKE, readClientHello } from './client-hello.ts'
import type { Connection } from './connection-evidence.ts'
import { readHttp2Opening } from './http2.ts'
import { ja4 } from './ja4.ts'
import { peek } from './peek.ts'
import { readProxyHeader } from './proxy-protocol.ts'

/** Each of these reads how a connection begins, notes what it shows, and leaves the bytes for the next. */

const PROXY_BYTES_MAX = 4_096
/** Current hellos are 1.9 to 2.5 kB; the largest share of a post-quantum key would still fit. */
const HELLO_BYTES_MAX = 20_000
const HTTP2_BYTES_MAX = 4_096
/** What follows SETTINGS comes in the same packet. A client that now waits for ours must get it. */
const HTTP2_REST_TIMEOUT_MS = 100

/** Takes a PROXY header off, where there is one. `next` is not called for a malformed one or a timeout. */
export function readProxy(connection: Connection, timeoutMs: number, next: () => void): void {
  const { socket } = connection
  let header: ReturnType<typeof readProxyHeader> | undefined
  const look = (bytes: Buffer): number => {
    header = readProxyHeader(bytes)
    return header.state === 'more' ? header.needBytes : 0
  }
  peek(socket, look, { bytesMax: PROXY_BYTES_MAX, timeoutMs }, (end) => {
    if (end !== 'enough' || (header?.state === 'read' && header.value === 'malformed')) {
      socket.destroy()
      return
    }
    if (header?.state === 'read' && header.value !== 'malformed') {
      socket.read(header.value.bytes)
      connection.balanced = true
      connection.peer = header.value.source ?? connection.peer
    }
    next()
  })
}

export interface HelloFacts {
  /** Undefined where the hello could not be read; TLS itself will say what it thinks of it. */
  ja4: string | undefined
  helloGapMs: number
}

/** Waits for the whole ClientHello. What does not begin as TLS is refused, HTTP with an answer. */
export function readHello(
  connection: Connection,
  { timeoutMs, clock }: { timeoutMs: number; clock(): number },
  next: (facts: HelloFacts) => void,
): void {
  const { socket } = connection
  let hello: ReturnType<typeof readClientHello> | undefined
  let first: number | undefined
  const look = (bytes: Buffer): number => {
    first = bytes[0]
    hello = readClientHello(bytes)
    return hello.state === 'more' ? hello.needBytes : 0
  }
  peek(socket, look, { bytesMax: HELLO_BYTES_MAX, timeoutMs }, (end) => {
    if (end === 'enough' && first === RECORD_HANDSHAKE)
      next({
        ja4: hello?.state === 'read' ? ja4(hello.value) : undefined,
        helloGapMs: clock() - connection.acceptedAtMs,
      })
    else if (end === 'enough' && isLetter(first)) refusePlainHttp(socket)
    else socket.destroy()
  })
}

/** The first byte of an HTTP method. */
const isLetter = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x41 && byte <= 0x5a

/** Somebody typed the port without `https`: an answer tells more than a closed connection. */
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

/** Reads what an HTTP/2 client says before its first request, without keeping it waiting for an answer. */
export function readHttp2(
  connection: Connection,
  socket: TLSSocket,
  timeoutMs: number,
  next: () => void,
): void {
  let opening = readHttp2Opening(Buffer.alloc(0))
  const look = (isEnough: () => boolean) => (bytes: Buffer) => {
    opening = readHttp2Opening(bytes)
    return isEnough() ? 0 : opening.needBytes
  }
  const begun = look(() => opening.ended || opening.fingerprint !== undefined)
  peek(socket, begun, { bytesMax: HTTP2_BYTES_MAX, timeoutMs }, () => {
    const whole = look(() => opening.ended)
    peek(socket, whole, { bytesMax: HTTP2_BYTES_MAX, timeoutMs: HTTP2_REST_TIMEOUT_MS }, (end) => {
      if (end === 'closed') {
        socket.destroy()
        return
      }
      connection.http2 =
        opening.fingerprint !== undefined && (opening.ended || opening.windowUpdated)
          ? observed('http', opening.fingerprint)
          : unavailable('cut_short')
      next()
    })
  })
}
