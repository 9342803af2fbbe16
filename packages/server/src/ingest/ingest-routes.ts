import { randomUUID } from 'node:crypto'
import { isUuid, NIL_UUID, SEALED_VERDICT_HEADER } from '@inkling/contract'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Directory, Domain } from '../auth/directory.ts'
import { rawSegments } from '../compat/raw-path.ts'
import { AppError } from '../lib/errors.ts'
import type { ConcurrencyLimit, RateLimit } from '../lib/limits.ts'
import type { Scored } from '../visit/identification.ts'
import type { NetworkEvidence } from '../visit/network-evidence.ts'
import type { TicketProof } from '../visit/proof.ts'
import type { Received } from '../visit/received.ts'
import { callerOf, requestFacts } from './caller.ts'
import type { ClientAddress } from './client-address.ts'
import type { Disturbances } from './disturbances.ts'
import { type BodyDecoder, noReadings, parseSentBody } from './ingest-body.ts'
import { type JoinKeys, withEdgeEvidence } from './join-keys.ts'
import { readAccount } from './read-account.ts'
import { readBodies } from './read-bodies.ts'
import { signedRequest } from './signed-request.ts'
import type { TicketRate } from './ticket-rate.ts'
import { sendTicket, type TicketParams } from './ticket-route.ts'
import { type ProofDeps, verifyProof } from './verify-proof.ts'

type Visit = Pick<Received, 'domain' | 'requestId' | 'host' | 'address' | 'atMs'>

/** What became of a request: accepted in one of three ways, or refused. */
export type IngestOutcome =
  | 'stored'
  | 'duplicate'
  | 'over_limit'
  | 'invalid_request'
  | 'unauthorized'
  | 'too_large'
  | 'busy'
  | 'failed'

export interface IngestDeps extends ProofDeps {
  directory: Directory
  clientAddress: ClientAddress
  decoder: BodyDecoder
  /** @throws AppError when there is no disk space for more visits of the domain */
  budget: { refuseWhenFull(domainId: number): void }
  /** Public base URL, under which visitors know this server. */
  publicUrl: string
  /** Per visitor address. */
  limit: RateLimit
  /** The same for the beacon, which any page can make a browser load. */
  beaconLimit: RateLimit
  /** And for tickets, which cost next to nothing. */
  ticketLimit: RateLimit
  ticketRate: TicketRate
  disturbances: Disturbances
  joinKeys: Pick<JoinKeys, 'open'>
  /** Requests that are being worked on. */
  work: ConcurrencyLimit
  /** What the server saw of the connection that a request came over. */
  observe(request: FastifyRequest, visit: Pick<Visit, 'requestId' | 'address'>): NetworkEvidence
  /** Resolves once the identification is scored and on disk, or its request ID proves to be used. */
  process(
    received: Received,
    domain: Domain,
    stored: (scored: Scored) => void,
  ): Promise<'stored' | 'duplicate'>
  /** The verdict as only the customer's backend can read it; undefined where the domain has none sealed. */
  sealVerdict(
    domain: Domain,
    requestId: string,
    scored: Scored | 'rate_limited' | undefined,
  ): string | undefined
  /** Resolves once it is on disk that the address went over the limit. */
  mark(visit: Visit, domain: Domain): Promise<void>
  /** Called for each stored visit of an agent. */
  ticketChecked(state: TicketProof['state']): void
  /** Called for every request when it is answered. */
  ended(outcome: IngestOutcome, elapsedMs: number): void
  now(): number
}

export const SNAPSHOT_PREFIX = '/snapshot/'
const TICKET_PATH = '/ticket/:requestId'
const BODY_BYTES_MAX = 512 * 1024
const PREFLIGHT_SECONDS = 86_400

/** The smallest GIF: one transparent pixel. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

const REFUSALS: Record<number, IngestOutcome> = {
  400: 'invalid_request',
  401: 'unauthorized',
  413: 'too_large',
  503: 'busy',
}

/** The routes that pages of any origin call. The key and the page's host decide who may, not CORS. */
export const ingestRoutes =
  (deps: IngestDeps): FastifyPluginAsync =>
  (app: FastifyInstance) => {
    app.addHook('onRequest', (request, reply, done) => {
      // Fastify refuses a malformed type before it asks any parser.
      request.headers['content-type'] = 'application/octet-stream'
      reply.header('access-control-allow-origin', '*').header('cross-origin-resource-policy', 'cross-origin')
      // Before the body is read, so that a flood costs next to nothing.
      if (request.method !== 'OPTIONS') deps.work.refuseWhenFull()
      done()
    })
    readBodies(app, (request) => addressOf(request, deps))
    app.addHook('onResponse', (request, reply, done) => {
      // A ticket that is refused is no identification yet.
      const isTicket = request.routeOptions.url === TICKET_PATH
      if (isTicket) deps.disturbances.ticketRefused(reply.statusCode, addressOf(request, deps))
      else if (reply.statusCode >= 400) deps.ended(REFUSALS[reply.statusCode] ?? 'failed', reply.elapsedTime)
      done()
    })
    // For pages that post with a type of their own; the agent's needs no preflight.
    app.options(`${SNAPSHOT_PREFIX}*`, (_request, reply) =>
      reply
        .code(204)
        .header('access-control-allow-methods', 'POST')
        .header('access-control-allow-headers', 'content-type')
        .header('access-control-max-age', String(PREFLIGHT_SECONDS))
        .send(),
    )
    app.post(`${SNAPSHOT_PREFIX}*`, { bodyLimit: BODY_BYTES_MAX }, (request, reply) =>
      deps.work.run(() => receiveSnapshot(request, reply, deps)),
    )
    app.get<TicketParams>(TICKET_PATH, (request, reply) =>
      sendTicket(request, reply, addressOf(request, deps), deps),
    )
    app.get('/noscript', (request, reply) => deps.work.run(() => receiveBeacon(request, reply, deps)))
    return Promise.resolve()
  }

/**
 * POST /snapshot/:request_id?publicKey=KEY. The answer is the client's address; it means that the identification is
 * stored. A used request ID and a visitor over the limit get the same answer.
 */
async function receiveSnapshot(request: FastifyRequest, reply: FastifyReply, deps: IngestDeps) {
  const sentId = rawSegments(request, SNAPSHOT_PREFIX).segments.join('/')
  const requestId = isUuid(sentId) ? sentId.toLowerCase() : NIL_UUID
  const answered = (domain: Domain, scored: Scored | 'rate_limited' | undefined): void => {
    const sealed = deps.sealVerdict(domain, requestId, scored)
    if (sealed !== undefined)
      reply
        .header(SEALED_VERDICT_HEADER, sealed)
        .header('access-control-expose-headers', SEALED_VERDICT_HEADER)
  }
  const limited = { requestId, limit: deps.limit, exceeded: deps.mark, answered }
  const address = await receive(request, reply, deps, limited, async (visit, domain) => {
    if (requestId === NIL_UUID) throw new AppError('INK_INVALID_FIELD', 'request ID must be a UUID')
    const sent = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const text = deps.decoder.decode(sent, requestId)
    const { parsed, namedId, join } = parseSentBody(text)
    const network = deps.observe(request, visit)
    const seen = { ...visit, domainId: domain.id, request: requestFacts(request.headers), network }
    const { proof, curves } = verifyProof({ text, namedId, body: parsed.body }, seen, deps)
    const { userAgent } = seen.request
    const edge = deps.joinKeys.open(join, {
      ...visit,
      domainId: domain.id,
      cookieId: parsed.cookieId,
      userAgent,
    })
    return {
      ...parsed,
      ...readAccount(parsed.userHid, domain),
      ...visit,
      request: seen.request,
      signed: signedRequest(request, deps.publicUrl, domain.name),
      network: withEdgeEvidence(network, edge),
      edge,
      via: 'agent',
      proof: {
        ...proof,
        expected: deps.disturbances.excuse({ address: visit.address, body: proof.body })
          ? undefined
          : await deps.ticketRate.isExpected({ domainId: domain.id, host: visit.host }),
      },
      curves,
      late: undefined,
    }
  })
  return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(address))
}

/**
 * GET /noscript?publicKey=KEY. An image inside `<noscript>`: only a browser without JavaScript loads it. Anybody may put
 * it into a post of a site, so beacons over their limit neither block the visitor nor leave a marker.
 */
async function receiveBeacon(request: FastifyRequest, reply: FastifyReply, deps: IngestDeps) {
  const limited = { requestId: randomUUID(), limit: deps.beaconLimit, exceeded: () => Promise.resolve() }
  await receive(request, reply, deps, limited, async (visit) => ({
    ...visit,
    sessionId: NIL_UUID,
    cookieId: NIL_UUID,
    userHid: 'unknown',
    request: requestFacts(request.headers),
    landing: { url: request.headers.referer ?? '', referrer: '' },
    via: 'noscript',
    readings: noReadings(),
    proof: undefined,
    network: deps.observe(request, visit),
    followUp: false,
    body: '{}',
    late: undefined,
  }))
  return reply.header('content-type', 'image/gif').header('cache-control', 'no-store').send(PIXEL)
}

const addressOf = (request: FastifyRequest, { clientAddress }: IngestDeps): string =>
  clientAddress(request.ip, request.headers['x-forwarded-for']?.toString())

interface Limited {
  requestId: string
  limit: RateLimit
  exceeded: IngestDeps['mark']
  /** Called when it is known what the visit is; without a score for a repeated request ID. */
  answered?(domain: Domain, scored: Scored | 'rate_limited' | undefined): void
}

/**
 * Processes one visit within its address's limit and returns that address.
 * @param read makes the visit of the request; not called over the limit
 */
async function receive(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: IngestDeps,
  { requestId, limit, exceeded, answered }: Limited,
  read: (visit: Visit, domain: Domain) => Promise<Received>,
): Promise<string> {
  const { domain, host } = callerOf(request, deps.directory)
  deps.budget.refuseWhenFull(domain.id)
  const address = addressOf(request, deps)
  const visit = { domain, requestId, host, address, atMs: deps.now() }
  let outcome: IngestOutcome = 'over_limit'
  const permission = await limit.take(address)
  if (permission === 'exceeded') await exceeded(visit, domain)
  let scored: Scored | 'rate_limited' | undefined = 'rate_limited'
  if (permission === 'allowed') {
    scored = undefined
    outcome = await process(await read(visit, domain), domain, deps, (stored) => {
      scored = stored
    })
  }
  answered?.(domain, scored)
  deps.ended(outcome, reply.elapsedTime)
  return address
}

async function process(
  received: Received,
  domain: Domain,
  deps: IngestDeps,
  stored: (scored: Scored) => void,
): Promise<IngestOutcome> {
  const outcome = await deps.process(received, domain, stored)
  const { address, host, proof } = received
  if (outcome === 'stored' && proof) {
    deps.ticketRate.learn({ domainId: domain.id, host }, address, proof)
    deps.ticketChecked(proof.ticket.state)
  }
  return outcome
}
