import type { FastifyRequest } from 'fastify'

/** Values in paths that are compared byte by byte, as the earlier service did; the router would decode them. */

export interface RawPath {
  /** Segments after a prefix, not decoded. */
  segments: string[]
  query: URLSearchParams
}

/** Splits the request's path after a prefix without decoding it. */
export function rawSegments(request: FastifyRequest, prefix: string): RawPath {
  const url = request.originalUrl
  const question = url.indexOf('?')
  const path = question < 0 ? url : url.slice(0, question)
  return {
    segments: path.slice(prefix.length).split('/'),
    query: new URLSearchParams(question < 0 ? '' : url.slice(question + 1)),
  }
}

export interface SearchPath {
  type: string
  /** Not decoded. */
  value: string
  query: URLSearchParams
}

/** S10.5: counts as a slash, which no search has in its value. */
const ESCAPED_SLASH = /%2f/i

/** Reads `{type}/{value}`, the end of every search's path; undefined when no route matches. */
export function searchPath({ segments, query }: RawPath): SearchPath | undefined {
  const [type, value, ...more] = segments
  if (!type || !value || more.length > 0 || ESCAPED_SLASH.test(type + value)) return undefined
  return { type, value, query }
}

/** Bytes that clients do not escape; every other one is `%XX` with upper-case digits (§4.1). */
const PLAIN = /^[A-Za-z0-9\-._~$&+,:;=@]$/

/** Decodes a path segment whose escaping is canonical. Any other one stands for its escaped text (S10.6). */
export function canonicalSegment(segment: string): string {
  const text = decodeUtf8(segment)
  return text !== undefined && escapeSegment(text) === segment ? text : segment
}

/** S10.5: proxies and browsers resolve dot segments, so these values match nothing. */
export const isDotSegment = (text: string): boolean => text === '.' || text === '..'

/** Escapes a path segment as clients do. */
export function escapeSegment(text: string): string {
  let escaped = ''
  for (const byte of Buffer.from(text, 'utf8')) {
    const character = String.fromCharCode(byte)
    escaped += PLAIN.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return escaped
}

/** Decodes a value whose escaping does not matter; a broken escape stays as it is. */
export const decodedSegment = (segment: string): string => decodeUtf8(segment) ?? segment

/** Undefined for a broken escape and for bytes that are not UTF-8. */
function decodeUtf8(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
