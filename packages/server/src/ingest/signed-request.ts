import type { FastifyRequest } from 'fastify'
import type { SignedRequest } from '../visit/agent-identity.ts'

/** Longer headers are no agent's. They would only take time, as every visitor may send them. */
const HEADERS_MAX = 64
const VALUE_LENGTH_MAX = 4_096

/**
 * The request as its client may have signed it; undefined without a signature. A proxy may change host and path, so the
 * public URL of this server counts as well as what the request says: both are our own.
 */
export function signedRequest(
  { raw, originalUrl }: Pick<FastifyRequest, 'raw' | 'originalUrl'>,
  publicUrl: string,
): SignedRequest | undefined {
  const { headers, rawHeaders, method = 'POST' } = raw
  if (headers['signature-input'] === undefined || headers.signature === undefined) return undefined
  const known = new URL(publicUrl)
  const scheme = known.protocol === 'http:' ? 'http' : 'https'
  const sent = authorityOf(headers[':authority']?.toString() ?? headers.host, scheme)
  const basePath = known.pathname.replace(/\/+$/, '')
  return {
    method,
    scheme,
    authorities: [...new Set([sent, known.host].filter((authority) => authority !== undefined))],
    targets: [...new Set([originalUrl, basePath + originalUrl])],
    headers: headerPairs(rawHeaders),
  }
}

/** In lower case and without the scheme's own port (RFC 9421, section 2.2.3). */
export function authorityOf(host: string | undefined, scheme: string): string | undefined {
  return URL.parse(`${scheme}://${host ?? ''}`)?.host
}

function headerPairs(raw: readonly string[]): [string, string][] {
  const pairs: [string, string][] = []
  for (let index = 0; index + 1 < raw.length && pairs.length < HEADERS_MAX; index += 2) {
    const [name = '', value = ''] = [raw[index], raw[index + 1]]
    if (!name.startsWith(':') && value.length <= VALUE_LENGTH_MAX) pairs.push([name.toLowerCase(), value])
  }
  return pairs
}
