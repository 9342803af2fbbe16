import type { RawPath } from './raw-path.ts'

export interface SearchPath {
  type: string
  /** As it was sent. */
  value: string
  query: URLSearchParams
}

/** An escaped slash has always been taken for a slash, which no route matches. */
const ESCAPED_SLASH = /%2f/i

/** Reads `{type}/{value}`, how the path of every search ends; undefined when no route matches. */
export function searchPath({ segments, query }: RawPath): SearchPath | undefined {
  const [type, value, ...more] = segments
  if (!type || !value || more.length > 0 || ESCAPED_SLASH.test(type + value)) return undefined
  return { type, value, query }
}
