import { type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Duplex } from 'node:stream'

/** Where a proxy sends a request. */
export interface Upstream {
  scheme: 'http' | 'https'
  port: number
  localAddress?: string
  path(path: string): string
  /** Added to those of the request. */
  headers: readonly string[]
}

function ask(request: IncomingMessage, { scheme, port, localAddress, path, headers }: Upstream) {
  return (scheme === 'https' ? requestHttps : requestHttp)({
    host: '127.0.0.1',
    port,
    ...(localAddress !== undefined && { localAddress }),
    // The name for which the certificate is does not matter between the proxy and its server.
    rejectUnauthorized: false,
    servername: 'inkling.example',
    agent: false,
    method: request.method,
    path: path(request.url ?? '/'),
    headers: [...request.rawHeaders, ...headers],
  })
}

/** Sends a request to another server, with its headers in their order, and its answer back. */
export function passOn(request: IncomingMessage, response: ServerResponse, upstream: Upstream): void {
  const asked = ask(request, upstream)
  asked.once('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
    answer.pipe(response)
  })
  asked.on('error', () => response.destroy())
  response.once('close', () => asked.destroy())
  request.pipe(asked)
}

/** The same for a request that becomes a WebSocket. */
export function passUpgradeOn(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  upstream: Upstream,
): void {
  const asked = ask(request, upstream)
  socket.on('error', () => asked.destroy())
  asked.on('error', () => socket.destroy())
  asked.once('response', () => socket.destroy())
  asked.once('upgrade', (answer, other, rest) => {
    const lines = [`HTTP/1.1 101 ${answer.statusMessage}`]
    for (let at = 0; at < answer.rawHeaders.length; at += 2)
      lines.push(`${answer.rawHeaders[at]}: ${answer.rawHeaders[at + 1]}`)
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    socket.write(rest)
    other.write(head)
    other.on('error', () => socket.destroy()).once('close', () => socket.destroy())
    socket.once('close', () => other.destroy())
    socket.pipe(other).pipe(socket)
  })
  asked.end()
}
