import type { FastifyRequest } from 'fastify'
import { rawSegments } from '../raw-path.ts'
import { type SearchPath, searchPath } from '../search-path.ts'

/** Keys and values are read as they were sent: the router must not decode what follows. */
export const OLDER_HISTORY_PREFIX = '/pub/'

export interface OlderPath {
  publicKey: string
  secretKey: string
  form: 'history' | 'debug' | 'request'
  search: SearchPath
}

/**
 * Reads `{public_key}/{secret_key}/…`; undefined when no route matches. `request/{request_id}` is a search
 * by request ID.
 */
export function readOlderPath(request: FastifyRequest): OlderPath | undefined {
  const { segments, query } = rawSegments(request, OLDER_HISTORY_PREFIX)
  const [publicKey, secretKey, form, ...rest] = segments
  if (!publicKey || !secretKey) return undefined
  if (form !== 'history' && form !== 'debug' && form !== 'request') return undefined
  const search = searchPath({ segments: form === 'request' ? ['request_id', ...rest] : rest, query })
  return search && { publicKey, secretKey, form, search }
}
