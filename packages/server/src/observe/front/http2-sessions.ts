import type { RequestListener } from 'node:http'
import { constants, createServer, type Http2ServerRequest, type ServerHttp2Session } from 'node:http2'
import type { TLSSocket } from 'node:tls'

export interface Http2Timeouts {
  requestTimeoutMs: number
  keepAliveTimeoutMs: number
}

export interface Http2Sessions {
  /** Serves HTTP/2 on a connection that agreed on it; `onRequest` runs before the handler. */
  serve(socket: TLSSocket, onRequest: (request: Http2ServerRequest) => void): void
  /** Takes no further requests, finishes those under way, and ends each session then. */
  close(): void
}

const STREAMS_MAX = 128

/** HTTP/2 in the shape of HTTP/1: the same handler, the same limits in time. */
export function createHttp2Sessions(
  handler: RequestListener,
  { requestTimeoutMs, keepAliveTimeoutMs }: Http2Timeouts,
): Http2Sessions {
  const server = createServer({ settings: { maxConcurrentStreams: STREAMS_MAX } })
  const open = new Map<ServerHttp2Session, (request: Http2ServerRequest) => void>()

  server.on('request', (request, response) => {
    const session = request.stream.session as ServerHttp2Session | undefined
    if (session) open.get(session)?.(request)
    limitBody(request, requestTimeoutMs)
    // Node's compatibility API: all that handlers use of the HTTP/1 classes is there under the same name.
    handler(request as never, response as never)
  })

  return {
    serve(socket, onRequest) {
      const onSession = (session: ServerHttp2Session): void => {
        open.set(session, onRequest)
        session.once('close', () => open.delete(session))
        session.setTimeout(keepAliveTimeoutMs, () => session.close())
      }
      // The session is made before `emit` returns, so that the listener meets this one and no other.
      server.on('session', onSession)
      server.emit('connection', socket)
      server.off('session', onSession)
    },
    close() {
      for (const session of open.keys()) session.close()
    },
  }
}

/** A body must be whole in the time that HTTP/1 allows too. */
function limitBody({ stream }: Http2ServerRequest, requestTimeoutMs: number): void {
  if (stream.endAfterHeaders) return
  const timer = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), requestTimeoutMs)
  const stop = (): void => clearTimeout(timer)
  stream.once('end', stop).once('close', stop)
}
