import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, constants, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http2'
import { connect as connectTls } from 'node:tls'
import type { Upstream } from './pass-on.ts'

/** Of one connection alone, which HTTP/2 has not. */
const HOP_NAMES = /^(host|connection|keep-alive|transfer-encoding|upgrade|te)$/

/** Sends a request to another server over HTTP/2, as gateways do that speak it on both sides, and its answer back. */
export function passOnHttp2(
  request: IncomingMessage,
  response: ServerResponse,
  { port, localAddress, path }: Upstream,
): void {
  const session = connect(`https://127.0.0.1:${port}`, {
    createConnection: () =>
      connectTls({
        host: '127.0.0.1',
        port,
        ...(localAddress !== undefined && { localAddress }),
        rejectUnauthorized: false,
        servername: 'inkling.example',
        ALPNProtocols: ['h2'],
      }),
  })
  const headers: OutgoingHttpHeaders = {
    ':method': request.method,
    ':path': path(request.url ?? '/'),
    ':authority': request.headers.host,
  }
  for (const [name, value] of Object.entries(request.headers))
    if (!HOP_NAMES.test(name)) headers[name] = value
  const stream = session.request(headers)
  const fail = (): void => {
    session.destroy()
    response.destroy()
  }
  session.on('error', fail)
  stream.on('error', fail)
  stream.once('response', (answer) => {
    response.writeHead(Number(answer[constants.HTTP2_HEADER_STATUS]), ordinary(answer))
    stream.pipe(response)
  })
  response.once('close', () => session.destroy())
  request.pipe(stream)
}

const ordinary = (headers: IncomingHttpHeaders): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(':')))
