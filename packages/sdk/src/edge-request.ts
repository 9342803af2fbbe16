import type { AssessRequest } from '@inkling/contract'
import { InklingError } from './inkling-error.ts'

/** The parts of Node's `IncomingMessage` that say what a client sent. Express and Fastify have one, too. */
export interface NodeRequest {
  method?: string | undefined
  url?: string | undefined
  /** Express strips a mount path from `url`. */
  originalUrl?: string | undefined
  httpVersion: string
  /** Names and values in turn. */
  rawHeaders: readonly string[]
  headers: { host?: string | undefined; [name: string]: string | string[] | undefined }
  socket: { remoteAddress?: string | undefined; encrypted?: boolean }
}

/** What a request alone does not say. */
export interface EdgeFacts {
  /**
   * Address of the client. Take it from the socket, or from the header of a proxy of your own; a header that a client
   * can write would let it claim any address.
   */
  address: string
  /**
   * Scheme and host under which clients know your site, such as `https://shop.example`. From your configuration, never
   * from the request: a client may write any `Host`, and with it repeat what an agent signed for another site.
   */
  origin: string
  /** The request ID that the page sent along. */
  requestId?: string | undefined
  tls?: AssessRequest['tls'] | undefined
  http2?: AssessRequest['http2'] | undefined
}

/** Their names stay, because order matters; their values are nobody else's business. */
const SECRETS: readonly string[] = ['authorization', 'cookie', 'proxy-authorization', 'x-api-key']
/* The API refuses what is longer, and nobody may get past a guard by sending it. */
const HEADERS_MAX = 100
const HEADER_NAME_LENGTH_MAX = 256
const HEADER_LENGTH_MAX = 8_192
/** Of all headers together: a body of the API has 64 KB. */
const HEADERS_LENGTH_MAX = 20_000
const URL_LENGTH_MAX = 8_192
const METHOD_LENGTH_MAX = 20
const FINGERPRINT_LENGTH_MAX = 512
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function headersOf(sent: AssessRequest['headers']): AssessRequest['headers'] {
  let left = HEADERS_LENGTH_MAX
  const headers: AssessRequest['headers'] = []
  for (const [name, value] of sent.slice(0, HEADERS_MAX)) {
    const known = SECRETS.includes(name.toLowerCase()) ? '' : value.slice(0, HEADER_LENGTH_MAX)
    left -= name.length + known.length
    if (left < 0) break
    if (name !== '') headers.push([name.slice(0, HEADER_NAME_LENGTH_MAX), known])
  }
  return headers
}

/** `URL.parse` needs a newer Node than this package does. */
const readUrl = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined)

/** Path and query behind the origin that you know. A client may send a whole URL, or an asterisk. */
function urlOf(origin: string, target: string): string {
  const known = readUrl(origin)
  if (known?.protocol !== 'https:' && known?.protocol !== 'http:')
    throw new InklingError('invalid_argument', 'origin must be a URL, such as https://shop.example')
  const whole = target.startsWith('/') ? undefined : readUrl(target)
  const path = whole ? whole.pathname + whole.search : target.startsWith('/') ? target : '/'
  return (known.origin + path).slice(0, URL_LENGTH_MAX)
}

const bodyOf = (
  { method, target, headers }: Pick<AssessRequest, 'method' | 'headers'> & { target: string },
  { address, origin, requestId, tls, http2 }: EdgeFacts,
): AssessRequest => ({
  method: method.replace(/[^A-Za-z]/g, '').slice(0, METHOD_LENGTH_MAX) || 'GET',
  url: urlOf(origin, target),
  address,
  headers: headersOf(headers),
  ...(tls && { tls }),
  ...(http2 && { http2: { fingerprint: http2.fingerprint.slice(0, FINGERPRINT_LENGTH_MAX) } }),
  ...(requestId !== undefined && UUID.test(requestId) && { request_id: requestId }),
})

/** A request of Node's `http` or `http2`, Express, Fastify (`request.raw`) or Next's API routes. */
export function edgeRequestOfNode(request: NodeRequest, facts: EdgeFacts): AssessRequest {
  const headers: AssessRequest['headers'] = []
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2)
    headers.push([request.rawHeaders[index] ?? '', request.rawHeaders[index + 1] ?? ''])
  const target = request.originalUrl ?? request.url ?? '/'
  const sent = { method: request.method ?? 'GET', target, headers }
  return { ...bodyOf(sent, facts), http_version: request.httpVersion }
}

/** A web-standard request, as of Hono and Next's middleware. It has lost the order and the case of its headers. */
export function edgeRequestOfWeb(request: Request, facts: EdgeFacts): AssessRequest {
  const url = new URL(request.url)
  const target = url.pathname + url.search
  return bodyOf({ method: request.method, target, headers: [...request.headers] }, facts)
}
