import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Directory, Domain } from '../auth/directory.ts'
import { rawSegments } from '../compat/raw-path.ts'
import { Refusal } from '../lib/refusal.ts'
import { belongsTo, requestHost } from './request-host.ts'

export interface Caller {
  domain: Domain
  /** The page's host: the domain or one of its subdomains. */
  host: string
}

/** The domain whose Public Key a page sent, provided that the page is one of that domain's. */
export function callerOf(request: FastifyRequest, directory: Directory): Caller {
  const domain = domainOfKey(rawSegments(request, '/').query, directory)
  if (!domain) throw new Refusal('unauthorized', 'unknown public key')
  const host = requestHost(request.headers.origin, request.headers.referer)
  if (host === undefined || !belongsTo(host, domain.name))
    throw new Refusal('unauthorized', 'the page does not belong to the domain of the public key')
  return { domain, host }
}

/** The same for a connection that asks to be upgraded, which has no reply to refuse with. */
export function isPageOf({ url = '', headers }: IncomingMessage, directory: Directory): boolean {
  const domain = domainOfKey(new URLSearchParams(url.split('?').slice(1).join('?')), directory)
  const host = requestHost(headers.origin, undefined)
  return domain !== undefined && host !== undefined && belongsTo(host, domain.name)
}

function domainOfKey(query: URLSearchParams, directory: Directory): Domain | undefined {
  const key = query.get('publicKey')
  return key === null ? undefined : directory.byPublicKey(key)
}
