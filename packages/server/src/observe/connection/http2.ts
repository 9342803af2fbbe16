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

/** What an HTTP/2 client writes before its first request (RFC 9113, sections 3.4 and 6). */
export interface Http2Opening {
  /** `id:value;…|WINDOW_UPDATE|PRIORITY`, such as `1:65536;2:0;4:6291456|15663105|0`; undefined before SETTINGS. */
  fingerprint: string | undefined
  /** Whether a frame followed that no longer belongs to the opening, so that nothing is missing. */
  ended: boolean
  /** Whether WINDOW_UPDATE came, which browsers send right after SETTINGS and nothing but requests after it. */
  windowUpdated: boolean
  /** How many bytes must be there to say more; 0 once there is nothing more to say. */
  needBytes: number
}

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1')
const FRAME_HEAD_BYTES = 9
const PRIORITY = 2
const SETTINGS = 4
const WINDOW_UPDATE = 8
const ACK = 1
/** Browsers send at most eight of each; more would only make a long text. */
const ENTRIES_MAX = 32

/** Reads what is there of the opening; frames that break the protocol end it, for the server to refuse. */
export function readHttp2Opening(bytes: Buffer): Http2Opening {
  const seen = {
    settings: undefined as string[] | undefined,
    increment: undefined as number | undefined,
    priorities: [] as string[],
  }
  const result = (ended: boolean, needBytes: number): Http2Opening => ({
    fingerprint:
      seen.settings &&
      `${seen.settings.join(';')}|${seen.increment ?? '00'}|${seen.priorities.join(',') || '0'}`,
    ended,
    windowUpdated: seen.increment !== undefined,
    needBytes,
  })
  const shared = Math.min(bytes.length, PREFACE.length)
  if (!bytes.subarray(0, shared).equals(PREFACE.subarray(0, shared))) return result(true, 0)

  let offset = PREFACE.length
  for (;;) {
    const start = offset + FRAME_HEAD_BYTES
    if (bytes.length < start) return result(false, start)
    const end = start + bytes.readUIntBE(offset, 3)
    const type = bytes[offset + 3]
    const stream = bytes.readUInt32BE(offset + 5) & 0x7fffffff
    if (!belongsToOpening(type, stream, end - start, seen.settings !== undefined)) return result(true, 0)
    if (bytes.length < end) return result(false, end)
    const content = bytes.subarray(start, end)
    if (type === WINDOW_UPDATE) seen.increment = content.readUInt32BE(0) & 0x7fffffff
    else if (type === PRIORITY) seen.priorities.push(priority(stream, content))
    else if (((bytes[offset + 4] ?? 0) & ACK) === 0) seen.settings ??= settings(content)
    if (seen.priorities.length > ENTRIES_MAX) return result(true, 0)
    offset = end
  }
}

function belongsToOpening(type: number | undefined, stream: number, bytes: number, begun: boolean): boolean {
  if (type === SETTINGS) return stream === 0 && bytes % 6 === 0 && bytes <= ENTRIES_MAX * 6
  if (!begun) return false
  if (type === WINDOW_UPDATE) return stream === 0 && bytes === 4
  return type === PRIORITY && bytes === 5
}

const settings = (content: Buffer): string[] =>
  Array.from({ length: content.length / 6 }, (_, index) => {
    const at = index * 6
    return `${content.readUInt16BE(at)}:${content.readUInt32BE(at + 2)}`
  })

/** `stream:exclusive:depends on:weight`. */
const priority = (stream: number, content: Buffer): string => {
  const dependency = content.readUInt32BE(0)
  return `${stream}:${dependency >>> 31}:${dependency & 0x7fffffff}:${(content[4] ?? 0) + 1}`
}

/** Order of the pseudo-headers, such as `m,a,s,p`, from names and values in the order they came. */
export const pseudoHeaderOrder = (rawHeaders: readonly string[]): string =>
  rawHeaders
    .filter((name, index) => index % 2 === 0 && name.startsWith(':'))
    .map((name) => name.charAt(1))
    .join(',')
