import type { FastifyRequest } from 'fastify'
import type { Directory, Domain } from '../auth/directory.ts'
import type { BoundedWork } from '../lib/bounded-work.ts'
import type { RateLimit } from '../lib/rate-limit.ts'
import type { Received } from '../visit/identification.ts'
import type { NetworkEvidence } from '../visit/network-evidence.ts'
import type { ClientAddress } from './client-address.ts'
import type { BodyDecoder } from './decode-body.ts'

type Visit = Pick<Received, 'domain' | 'requestId' | 'host' | 'address' | 'atMs'>

/** What became of what was sent: taken in one of three ways, or refused. */
export type IngestOutcome =
  | 'stored'
  | 'duplicate'
  | 'over_limit'
  | 'invalid_request'
  | 'unauthorized'
  | 'too_large'
  | 'busy'
  | 'failed'

export interface IngestDeps {
  directory: Directory
  clientAddress: ClientAddress
  decoder: BodyDecoder
  /** Per visitor address. */
  limit: RateLimit
  /** Requests whose body is there and whose answer is not. */
  work: BoundedWork
  /** What the server saw of the connection that a request came over. */
  observe(request: FastifyRequest, visit: Visit): NetworkEvidence
  /** Resolves when the identification is scored and on disk, or its request ID proves to have been used. */
  process(received: Received, domain: Domain): Promise<'stored' | 'duplicate'>
  /** Resolves when it is on disk that the address went over the limit. */
  mark(visit: Visit, domain: Domain): Promise<void>
  /** Told of everything that was sent, as it is answered. */
  ended(outcome: IngestOutcome, elapsedMs: number): void
  now(): number
}
