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
  /** Scheme and host under which clients know your site, such as `https://shop.example`. Default: as requested. */
  origin?: string | undefined
  /** The request ID that the page sent along. */
  requestId?: string | undefined
  tls?: AssessRequest['tls'] | undefined
  http2?: AssessRequest['http2'] | undefined
}

/** Their names stay, because order matters; their values are nobody else's business. */
const SECRETS: readonly string[] = ['authorization', 'cookie', 'proxy-authorization', 'x-api-key']
const HEADERS_MAX = 100
const HEADER_LENGTH_MAX = 8_192

const bodyOf = (
  request: Pick<AssessRequest, 'method' | 'url' | 'headers'>,
  { address, requestId, tls, http2 }: EdgeFacts,
): AssessRequest => ({
  ...request,
  address,
  headers: request.headers
    .slice(0, HEADERS_MAX)
    .map(([name, value]) => [
      name,
      SECRETS.includes(name.toLowerCase()) ? '' : value.slice(0, HEADER_LENGTH_MAX),
    ]),
  ...(tls && { tls }),
  ...(http2 && { http2 }),
  ...(requestId !== undefined && { request_id: requestId }),
})

/** A request of Node's `http` or `http2`, Express, Fastify (`request.raw`) or Next's API routes. */
export function edgeRequestOfNode(request: NodeRequest, facts: EdgeFacts): AssessRequest {
  const scheme = request.socket.encrypted ? 'https' : 'http'
  const host = request.headers[':authority']?.toString() ?? request.headers.host ?? 'localhost'
  const headers: AssessRequest['headers'] = []
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2)
    headers.push([request.rawHeaders[index] ?? '', request.rawHeaders[index + 1] ?? ''])
  const url = (facts.origin ?? `${scheme}://${host}`) + (request.originalUrl ?? request.url ?? '/')
  const sent = { method: request.method ?? 'GET', url, headers }
  return { ...bodyOf(sent, facts), http_version: request.httpVersion }
}

/** A web-standard request, as of Hono and Next's middleware. It has lost the order and the case of its headers. */
export function edgeRequestOfWeb(request: Request, facts: EdgeFacts): AssessRequest {
  const url = new URL(request.url)
  const path = url.pathname + url.search
  if (facts.origin !== undefined && !URL.canParse(facts.origin))
    throw new InklingError('invalid_argument', 'origin must be a URL')
  return bodyOf(
    { method: request.method, url: (facts.origin ?? url.origin) + path, headers: [...request.headers] },
    facts,
  )
}
