import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Directory, Domain } from '../auth/directory.ts'
import { rawSegments } from '../compat/raw-path.ts'
import { AppError } from '../lib/errors.ts'
import type { RequestFacts } from '../visit/received.ts'

export interface Caller {
  domain: Domain
  /** The page's host: the domain or one of its subdomains. */
  host: string
}

/**
 * The domain whose Public Key the request has.
 * @throws AppError when the key is unknown or the page is not one of the domain's
 */
export function callerOf(request: FastifyRequest, directory: Directory): Caller {
  const domain = domainOfKey(rawSegments(request, '/').query, directory)
  if (!domain) throw new AppError('INK_UNKNOWN_PUBLIC_KEY')
  const page = pageOf(request.headers.origin, request.headers.referer)
  if (page === undefined || !isAllowed(page, domain)) throw new AppError('INK_FOREIGN_PAGE')
  return { domain, host: page.host }
}

/** Whether an upgrade request is from a page of the domain whose Public Key it has. */
export function isPageOf({ url = '', headers }: IncomingMessage, directory: Directory): boolean {
  const domain = domainOfKey(new URLSearchParams(url.split('?').slice(1).join('?')), directory)
  const page = pageOf(headers.origin, undefined)
  return domain !== undefined && page !== undefined && isAllowed(page, domain)
}

function domainOfKey(query: URLSearchParams, directory: Directory): Domain | undefined {
  const key = query.get('publicKey')
  return key === null ? undefined : directory.byPublicKey(key)
}

/** Where a request comes from. */
interface Page {
  /** Scheme, host and port, as browsers write it. */
  origin: string
  /** Without the port. */
  host: string
}

/** The page that sent a request, from `Origin` or else `Referer`. */
export function pageOf(origin: string | undefined, referer: string | undefined): Page | undefined {
  return readPage(origin) ?? readPage(referer)
}

function readPage(text: string | undefined): Page | undefined {
  // A sandboxed frame sends the word `null`.
  const url = text === undefined ? null : URL.parse(text)
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return undefined
  return { origin: url.origin, host: url.hostname.toLowerCase() }
}

/** Pages of the domain and its subdomains, unless its owner names the origins. */
const isAllowed = ({ origin, host }: Page, { name, origins }: Domain): boolean =>
  belongsTo(host, name) && (origins === undefined || origins.has(origin))

/** Whether a host is the registered domain or one of its subdomains. */
export const belongsTo = (host: string, domain: string): boolean =>
  host === domain || host.endsWith(`.${domain}`)

/** No real browser sends longer ones; they would only take memory. */
const HEADER_LENGTH_MAX = 512

export const requestFacts = (headers: IncomingHttpHeaders): RequestFacts => ({
  userAgent: (headers['user-agent'] ?? '').slice(0, HEADER_LENGTH_MAX),
  acceptLanguage: (headers['accept-language'] ?? '').slice(0, HEADER_LENGTH_MAX),
})
