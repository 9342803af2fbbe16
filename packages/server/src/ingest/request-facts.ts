import type { IncomingHttpHeaders } from 'node:http'
import type { RequestFacts } from '../visit/identification.ts'

/** Longer ones name no real browser and would only cost memory. */
const HEADER_LENGTH_MAX = 512

export const requestFacts = (headers: IncomingHttpHeaders): RequestFacts => ({
  userAgent: (headers['user-agent'] ?? '').slice(0, HEADER_LENGTH_MAX),
  acceptLanguage: (headers['accept-language'] ?? '').slice(0, HEADER_LENGTH_MAX),
})
