import type { FastifyRequest } from 'fastify'
import type { Directory, Domain } from '../auth/directory.ts'
import { rawSegments } from '../lib/raw-path.ts'
import { Refusal } from '../lib/refusal.ts'
import { belongsTo, requestHost } from './request-host.ts'

export interface Caller {
  domain: Domain
  /** The page's host: the domain or one of its subdomains. */
  host: string
}

/** The domain whose Public Key a page sent, provided that the page is one of that domain's. */
export function callerOf(request: FastifyRequest, directory: Directory): Caller {
  const key = rawSegments(request, '/').query.get('publicKey')
  const domain = key === null ? undefined : directory.byPublicKey(key)
  if (!domain) throw new Refusal('unauthorized', 'unknown public key')
  const host = requestHost(request.headers.origin, request.headers.referer)
  if (host === undefined || !belongsTo(host, domain.name))
    throw new Refusal('unauthorized', 'the page does not belong to the domain of the public key')
  return { domain, host }
}
