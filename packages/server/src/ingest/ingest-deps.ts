import type { FastifyRequest } from 'fastify'
import type { Directory, Domain } from '../auth/directory.ts'
import type { Received } from '../identification.ts'
import type { RateLimit } from '../lib/rate-limit.ts'
import type { NetworkEvidence } from '../network-evidence.ts'
import type { ClientAddress } from './client-address.ts'
import type { BodyDecoder } from './decode-body.ts'

type Visit = Pick<Received, 'domain' | 'requestId' | 'host' | 'address' | 'atMs'>

export interface IngestDeps {
  directory: Directory
  clientAddress: ClientAddress
  decoder: BodyDecoder
  /** Per visitor address. */
  limit: RateLimit
  /** What the server saw of the connection that a request came over. */
  observe(request: FastifyRequest, visit: Visit): NetworkEvidence
  /** Resolves when the identification is scored and on disk. */
  process(received: Received, domain: Domain): Promise<void>
  /** Resolves when it is on disk that the address went over the limit. */
  mark(visit: Visit, domain: Domain): Promise<void>
  now(): number
}
