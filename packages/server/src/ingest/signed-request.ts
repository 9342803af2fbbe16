import type { FastifyRequest } from 'fastify'
import type { SignedRequest } from '../visit/agent-identity.ts'
import { belongsTo } from './caller.ts'

/** Longer headers are no agent's. They would only take time, as every visitor may send them. */
const HEADERS_MAX = 64
const VALUE_LENGTH_MAX = 4_096

/**
 * The request as its client may have signed it; undefined without a signature. A proxy may change host and path, so the
 * public URL of this server counts as well as what the request says. Anybody can write a `Host`: one that is not the
 * domain's would let a signature that another site received be used here.
 */
export function signedRequest(
  { raw, originalUrl }: Pick<FastifyRequest, 'raw' | 'originalUrl'>,
  publicUrl: string,
  domain: string,
): SignedRequest | undefined {
  const { headers, rawHeaders, method = 'POST' } = raw
  if (headers['signature-input'] === undefined || headers.signature === undefined) return undefined
  const known = new URL(publicUrl)
  const scheme = known.protocol === 'http:' ? 'http' : 'https'
  const sent = ownAuthority(headers[':authority']?.toString() ?? headers.host, scheme, domain)
  const basePath = known.pathname.replace(/\/+$/, '')
  return {
    method,
    scheme,
    authorities: [...new Set(sent === undefined ? [known.host] : [sent, known.host])],
    targets: [...new Set([originalUrl, basePath + originalUrl])],
    headers: headerPairs(rawHeaders),
  }
}

/**
 * In lower case and without the scheme's own port (RFC 9421, section 2.2.3). Undefined for a host that does not belong to
 * the domain.
 */
export function ownAuthority(host: string | undefined, scheme: string, domain: string): string | undefined {
  const url = URL.parse(`${scheme}://${host ?? ''}`)
  return url && belongsTo(url.hostname, domain) ? url.host : undefined
}

function headerPairs(raw: readonly string[]): [string, string][] {
  const pairs: [string, string][] = []
  for (let index = 0; index + 1 < raw.length && pairs.length < HEADERS_MAX; index += 2) {
    const [name = '', value = ''] = [raw[index], raw[index + 1]]
    if (!name.startsWith(':') && value.length <= VALUE_LENGTH_MAX) pairs.push([name.toLowerCase(), value])
  }
  return pairs
}
