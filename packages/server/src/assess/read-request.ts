import { type AssessRequest, NIL_UUID } from '@inkling/contract'
import { noReadings } from '../ingest/ingest-body.ts'
import { ownAuthority } from '../ingest/signed-request.ts'
import { formatAddress, parseAddress } from '../lib/address.ts'
import { AppError } from '../lib/errors.ts'
import { headerFacts } from '../observe/connection/connection-evidence.ts'
import type { SignedRequest } from '../visit/agent-identity.ts'
import {
  NO_CONNECTION_EVIDENCE,
  NO_FOLLOW_UP_EVIDENCE,
  observed,
  unavailable,
} from '../visit/network-evidence.ts'
import type { Received } from '../visit/received.ts'

const NOT_REPORTED = unavailable('not_reported')
/** As no version of HTTP/1: case says nothing then. */
const UNKNOWN_VERSION = '2.0'

/**
 * A request that a customer's edge reports, as a visit without its page.
 * @throws AppError `INK_INVALID_FIELD` for what is no address
 */
export function readRequest(
  asked: AssessRequest,
  { domain, id, atMs }: { domain: Received['domain']; id: string; atMs: number },
): Received {
  const address = parseAddress(asked.address)
  if (!address) throw new AppError('INK_INVALID_FIELD', 'address: not an IP address')
  const headers = Object.create(null) as NodeJS.Dict<string>
  for (const [name, value] of asked.headers) headers[name.toLowerCase()] ??= value
  const rawHeaders = asked.headers.flat()
  return {
    domain: { id: domain.id, name: domain.name, namespace: domain.namespace },
    requestId: id,
    sessionId: NIL_UUID,
    cookieId: NIL_UUID,
    userHid: 'unknown',
    host: new URL(asked.url).hostname,
    address: formatAddress(address),
    atMs,
    request: {
      userAgent: (headers['user-agent'] ?? '').slice(0, 512),
      acceptLanguage: headers['accept-language'] ?? '',
    },
    signed: signedOf(asked, headers, domain.name),
    network: {
      ...NO_CONNECTION_EVIDENCE,
      ...NO_FOLLOW_UP_EVIDENCE,
      headers: observed(
        'edge',
        headerFacts({ httpVersion: asked.http_version ?? UNKNOWN_VERSION, rawHeaders, headers }),
      ),
      tls: asked.tls ? observed('edge', tlsFacts(asked.tls)) : NOT_REPORTED,
      http2: asked.http2 ? observed('edge', asked.http2) : NOT_REPORTED,
    },
    landing: { url: asked.url, referrer: headers.referer ?? '' },
    via: 'edge',
    readings: noReadings(),
    proof: undefined,
    followUp: false,
    body: '{}',
    late: undefined,
  }
}

const tlsFacts = ({ ja4, version = '', alpn = '' }: NonNullable<AssessRequest['tls']>) => ({
  ja4,
  version,
  alpn,
})

/**
 * The edge knows the URL as the client does. Only where that is of no host of the domain, as behind a proxy, the client's
 * `Host` tells which one it is: what was signed for another site does not verify.
 */
function signedOf(
  { method, url, headers: all }: AssessRequest,
  headers: NodeJS.Dict<string>,
  domain: string,
): SignedRequest | undefined {
  if (headers['signature-input'] === undefined || headers.signature === undefined) return undefined
  const { protocol, host, pathname, search } = new URL(url)
  const scheme = protocol === 'http:' ? 'http' : 'https'
  const authority = ownAuthority(host, scheme, domain) ?? ownAuthority(headers.host, scheme, domain)
  // As it was written: parsing it may escape characters that the client did not.
  const written = /^https?:\/\/[^/?#]*([^#]*)/i.exec(url)?.[1] ?? ''
  return {
    method: method.toUpperCase(),
    scheme,
    authorities: authority === undefined ? [] : [authority],
    targets: [...new Set([written.startsWith('/') ? written : `/${written}`, pathname + search])],
    headers: all.map(([name, value]) => [name.toLowerCase(), value] as const),
  }
}
