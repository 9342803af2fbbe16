import type { RequestListener } from 'node:http'
import {
  constants,
  createServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2'
import type { TLSSocket } from 'node:tls'
import { type Observation, observed, unavailable } from '../../visit/network-evidence.ts'
import { peek } from './peek.ts'

export interface Http2Timeouts {
  requestTimeoutMs: number
  keepAliveTimeoutMs: number
}

interface SessionOwner {
  /** Runs before the handler; false when nobody needs the answer. */
  onRequest(request: Http2ServerRequest, response: Http2ServerResponse): boolean
  /** Runs work when it is the client's turn. */
  inTurn(work: () => void): void
  /** Whether the connection was destroyed, of which the session may not know yet. */
  isDestroyed(): boolean
}

export interface Http2Sessions {
  /** Serves HTTP/2 on a connection that negotiated it. */
  serve(socket: TLSSocket, owner: SessionOwner): void
  /** Accepts no new requests and closes each session once its open requests are answered. */
  close(): void
}

/** The least that RFC 9113, section 6.5.2 recommends; each open stream takes memory. */
const STREAMS_MAX = 100
/** For the streams of a session that has been idle for the keep-alive timeout; a client that reads needs less. */
const CLOSE_WITHIN_MS = 5_000

/** Serves HTTP/2 with the handler and the timeouts of HTTP/1. */
export function createHttp2Sessions(
  handler: RequestListener,
  { requestTimeoutMs, keepAliveTimeoutMs }: Http2Timeouts,
): Http2Sessions {
  const server = createServer({ settings: { maxConcurrentStreams: STREAMS_MAX } })
  const open = new Map<ServerHttp2Session, SessionOwner>()

  server.on('request', (request, response) => {
    const { stream } = request
    const session = stream.session as ServerHttp2Session | undefined
    const owner = session && open.get(session)
    if (!owner?.onRequest(request, response)) return
    limitBody(request, requestTimeoutMs)
    owner.inTurn(() => {
      // Node's compatibility API has everything that handlers use of the HTTP/1 classes, under the same names.
      if (!stream.destroyed) handler(request as never, response as never)
    })
  })

  const [serveStream] = server.listeners('stream')
  server.removeAllListeners('stream').on('stream', (stream, ...rest) => {
    // The other streams of a packet after which the connection was destroyed: most of their cost is still to come.
    const session = stream.session as ServerHttp2Session | undefined
    if (session && open.get(session)?.isDestroyed() === false) serveStream?.call(server, stream, ...rest)
  })

  return {
    serve(socket, owner) {
      const onSession = (session: ServerHttp2Session): void => {
        open.set(session, owner)
        session.once('close', () => open.delete(session))
        session.setTimeout(keepAliveTimeoutMs, () => closeWithin(session, CLOSE_WITHIN_MS))
      }
      // `emit` creates the session synchronously, so this listener sees no other session.
      server.on('session', onSession)
      server.emit('connection', socket)
      server.off('session', onSession)
    },
    close() {
      for (const session of open.keys()) session.close()
    },
  }
}

/** Closes a session that is idle. `close` alone waits for its streams, and a client that does not read never ends them. */
function closeWithin(session: ServerHttp2Session, timeoutMs: number): void {
  const timer = setTimeout(() => session.destroy(), timeoutMs)
  session.once('close', () => clearTimeout(timer))
  session.close()
}

/** Cancels a request whose body takes longer than HTTP/1 would allow. */
function limitBody({ stream }: Http2ServerRequest, requestTimeoutMs: number): void {
  if (stream.endAfterHeaders) return
  const timer = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), requestTimeoutMs)
  const stop = (): void => clearTimeout(timer)
  stream.once('end', stop).once('close', stop)
}

const PEEK_BYTES_MAX = 4_096
/** The frames after SETTINGS come in the same packet. A client that waits for our SETTINGS must get them soon. */
const AFTER_SETTINGS_TIMEOUT_MS = 100

/**
 * Waits for the frames that an HTTP/2 client sends ahead of its first request and passes on their fingerprint.
 * Does not delay clients that wait for the server's SETTINGS. Closes the socket when the client hung up.
 */
export function peekHttp2Preface(
  socket: TLSSocket,
  timeoutMs: number,
  onPreface: (fingerprint: Observation<string>) => void,
): void {
  let preface = readHttp2Preface(Buffer.alloc(0))
  const inspectUntil = (isEnough: () => boolean) => (bytes: Buffer) => {
    preface = readHttp2Preface(bytes)
    return isEnough() ? 0 : preface.needBytes
  }
  const settings = inspectUntil(() => preface.ended || preface.fingerprint !== undefined)
  peek(socket, settings, { bytesMax: PEEK_BYTES_MAX, timeoutMs }, () => {
    const rest = inspectUntil(() => preface.ended)
    peek(socket, rest, { bytesMax: PEEK_BYTES_MAX, timeoutMs: AFTER_SETTINGS_TIMEOUT_MS }, (end) => {
      if (end === 'closed') {
        socket.destroy()
        return
      }
      const isComplete = preface.ended || preface.windowUpdated
      onPreface(
        preface.fingerprint !== undefined && isComplete
          ? observed('http', preface.fingerprint)
          : unavailable('cut_short'),
      )
    })
  })
}

/** What an HTTP/2 client sends before its first request: https://www.rfc-editor.org/rfc/rfc9113#section-3.4 */
export interface Http2Preface {
  /** `id:value;…|WINDOW_UPDATE|PRIORITY`, such as `1:65536;2:0;4:6291456|15663105|0`; undefined before SETTINGS. */
  fingerprint: string | undefined
  /** Whether a frame of another kind followed, so that the fingerprint is complete. */
  ended: boolean
  /** Whether WINDOW_UPDATE was seen. Browsers send it right after SETTINGS, and only requests after it. */
  windowUpdated: boolean
  /** How many bytes are needed to tell more; 0 at the end. */
  needBytes: number
}

const MAGIC = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1')
const FRAME_HEAD_BYTES = 9
const PRIORITY = 2
const SETTINGS = 4
const WINDOW_UPDATE = 8
const ACK = 1
/** Browsers send at most eight of each; a longer fingerprint would only use memory. */
const ENTRIES_MAX = 32

/**
 * Parses as much of the preface as has arrived. The fingerprint has the form of Akamai's "Passive Fingerprinting
 * of HTTP/2 Clients": https://blogs.akamai.com/2017/06/passive-http2-client-fingerprinting-white-paper.html
 * Frames that break the protocol end the preface; the HTTP/2 server rejects them later.
 */
export function readHttp2Preface(bytes: Buffer): Http2Preface {
  const seen = {
    settings: undefined as string[] | undefined,
    increment: undefined as number | undefined,
    priorities: [] as string[],
  }
  const result = (ended: boolean, needBytes: number): Http2Preface => ({
    fingerprint:
      seen.settings &&
      `${seen.settings.join(';')}|${seen.increment ?? '00'}|${seen.priorities.join(',') || '0'}`,
    ended,
    windowUpdated: seen.increment !== undefined,
    needBytes,
  })
  const shared = Math.min(bytes.length, MAGIC.length)
  if (!bytes.subarray(0, shared).equals(MAGIC.subarray(0, shared))) return result(true, 0)

  let offset = MAGIC.length
  for (;;) {
    const start = offset + FRAME_HEAD_BYTES
    if (bytes.length < start) return result(false, start)
    const end = start + bytes.readUIntBE(offset, 3)
    const type = bytes[offset + 3]
    const stream = bytes.readUInt32BE(offset + 5) & 0x7fffffff
    if (!belongsToPreface(type, stream, end - start, seen.settings !== undefined)) return result(true, 0)
    if (bytes.length < end) return result(false, end)
    const content = bytes.subarray(start, end)
    if (type === WINDOW_UPDATE) seen.increment = content.readUInt32BE(0) & 0x7fffffff
    else if (type === PRIORITY) seen.priorities.push(priority(stream, content))
    else if (((bytes[offset + 4] ?? 0) & ACK) === 0) seen.settings ??= settings(content)
    if (seen.priorities.length > ENTRIES_MAX) return result(true, 0)
    offset = end
  }
}

function belongsToPreface(type: number | undefined, stream: number, bytes: number, begun: boolean): boolean {
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

/** `stream:exclusive:dependency:weight`. */
const priority = (stream: number, content: Buffer): string => {
  const dependency = content.readUInt32BE(0)
  return `${stream}:${dependency >>> 31}:${dependency & 0x7fffffff}:${(content[4] ?? 0) + 1}`
}

/** The order of the pseudo-headers, such as `m,a,s,p`, from header names and values in turn. */
export const pseudoHeaderOrder = (rawHeaders: readonly string[]): string =>
  rawHeaders
    .filter((name, index) => index % 2 === 0 && name.startsWith(':'))
    .map((name) => name.charAt(1))
    .join(',')
