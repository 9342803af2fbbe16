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
  const host = requestHost(request.headers.origin, request.headers.referer)
  if (host === undefined || !belongsTo(host, domain.name)) throw new AppError('INK_FOREIGN_PAGE')
  return { domain, host }
}

/** Whether an upgrade request is from a page of the domain whose Public Key it has. */
export function isPageOf({ url = '', headers }: IncomingMessage, directory: Directory): boolean {
  const domain = domainOfKey(new URLSearchParams(url.split('?').slice(1).join('?')), directory)
  const host = requestHost(headers.origin, undefined)
  return domain !== undefined && host !== undefined && belongsTo(host, domain.name)
}

function domainOfKey(query: URLSearchParams, directory: Directory): Domain | undefined {
  const key = query.get('publicKey')
  return key === null ? undefined : directory.byPublicKey(key)
}

/** The host of the page that sent a request, from `Origin` or else `Referer`, without the port. */
export function requestHost(origin: string | undefined, referer: string | undefined): string | undefined {
  return hostOf(origin) ?? hostOf(referer)
}

function hostOf(url: string | undefined): string | undefined {
  // A sandboxed frame sends the word `null`.
  if (!url || !URL.canParse(url)) return undefined
  return new URL(url).hostname.toLowerCase() || undefined
}

/** Whether a host is the registered domain or one of its subdomains. */
export const belongsTo = (host: string, domain: string): boolean =>
  host === domain || host.endsWith(`.${domain}`)

/** No real browser sends longer ones; they would only take memory. */
const HEADER_LENGTH_MAX = 512

export const requestFacts = (headers: IncomingHttpHeaders): RequestFacts => ({
  userAgent: (headers['user-agent'] ?? '').slice(0, HEADER_LENGTH_MAX),
  acceptLanguage: (headers['accept-language'] ?? '').slice(0, HEADER_LENGTH_MAX),
})
