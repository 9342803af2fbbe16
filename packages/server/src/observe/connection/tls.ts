import type { Socket } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import { observed, unavailable } from '../../visit/network-evidence.ts'
import type { Connection } from './connection-evidence.ts'
import type { HelloFacts } from './openings.ts'

type SecureListener = (socket: TLSSocket, connection: Connection) => void

/** A TLS server for sockets whose hello was read already. */
export function createTlsStage(
  { cert, key }: { cert: string; key: string },
  handshakeTimeout: number,
  onSecure: SecureListener,
): (connection: Connection, hello: HelloFacts) => void {
  const server = createServer({ cert, key, ALPNProtocols: ['h2', 'http/1.1'], handshakeTimeout })
  /** The TLS socket does not tell which one it wraps, but both have the same two ends. */
  const waiting = new Map<string, { connection: Connection; hello: HelloFacts }>()

  server.on('tlsClientError', (_error, socket) => socket.destroy())
  server.on('secureConnection', (socket) => {
    socket.on('error', () => {})
    const found = waiting.get(endsOf(socket))
    if (!found) {
      socket.destroy()
      return
    }
    const { connection, hello } = found
    connection.tls =
      hello.ja4 === undefined
        ? unavailable('unreadable')
        : observed('tls', {
            ja4: hello.ja4,
            version: socket.getProtocol() ?? '',
            alpn: socket.alpnProtocol || '',
            helloGapMs: hello.helloGapMs,
          })
    onSecure(socket, connection)
  })
  return (connection, hello) => {
    const ends = endsOf(connection.socket)
    waiting.set(ends, { connection, hello })
    connection.socket.once('close', () => waiting.delete(ends))
    // Half-open is for HTTP/1 in the clear only, where it comes from.
    connection.socket.allowHalfOpen = false
    server.emit('connection', connection.socket)
  }
}

const endsOf = ({ remoteAddress, remotePort, localAddress, localPort }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`
