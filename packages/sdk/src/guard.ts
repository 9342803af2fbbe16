import type { Assessment, AssessRequest } from '@inkling/contract'
import type { Client } from './client.ts'
import { type EdgeFacts, edgeRequestOfNode, edgeRequestOfWeb, type NodeRequest } from './edge-request.ts'
import { InklingError } from './inkling-error.ts'

export interface GuardOptions<Sent> {
  /** What the request alone does not say, above all the client's address. */
  facts(request: Sent): EdgeFacts
  /** How long a request may wait, in milliseconds. Default 300. */
  timeoutMs?: number
  /** Called when there was no answer. The request goes on without an assessment. */
  failed?(error: unknown): void
}

/** The least that a request is judged by. */
const plain = ({ method, url, address, headers }: AssessRequest): AssessRequest => ({
  ...{ method, url, address },
  headers: headers.filter(([name]) => name.toLowerCase() === 'user-agent').slice(0, 1),
})

/**
 * What the API refuses to read is no outage: somebody may send it to get past the guard. So it is asked again about what
 * the rules need, in what is left of the time.
 */
async function assessed(
  client: Pick<Client, 'assess'>,
  asked: AssessRequest,
  timeoutMs: number,
): Promise<Assessment> {
  const startMs = performance.now()
  try {
    return await client.assess(asked, { timeoutMs })
  } catch (error) {
    if (!(error instanceof InklingError) || error.code !== 'invalid_request') throw error
    const leftMs = Math.max(1, Math.round(timeoutMs - (performance.now() - startMs)))
    return client.assess(plain(asked), { timeoutMs: leftMs })
  }
}

/** What to answer instead of the page, by your rules for agents; undefined when the request may go on. */
export interface Refusal {
  status: 403 | 429
  retryAfterSeconds: number | undefined
}

interface Guarded {
  /** Undefined when there was no answer in time. */
  assessment: Assessment | undefined
  refusal: Refusal | undefined
}

const TIMEOUT_MS = 300

/** `deny` is a 403 and `limit` a 429. What a challenge is, and which score is too high, is for the page to say. */
const refusalOf = ({ action, retry_after_seconds: retryAfter }: Assessment): Refusal | undefined => {
  if (action === 'deny') return { status: 403, retryAfterSeconds: undefined }
  return action === 'limit' ? { status: 429, retryAfterSeconds: retryAfter ?? undefined } : undefined
}

const guardOf =
  <Sent>(
    client: Pick<Client, 'assess'>,
    { facts, timeoutMs = TIMEOUT_MS, failed = () => {} }: GuardOptions<Sent>,
    read: (request: Sent, facts: EdgeFacts) => AssessRequest,
  ) =>
  async (request: Sent): Promise<Guarded> => {
    try {
      const assessment = await assessed(client, read(request, facts(request)), timeoutMs)
      return { assessment, refusal: refusalOf(assessment) }
    } catch (error) {
      failed(error)
      return { assessment: undefined, refusal: undefined }
    }
  }

/** The answer of Node's `http`, and what Express makes of it. */
interface NodeResponse {
  statusCode: number
  setHeader(name: string, value: string): unknown
  end(): unknown
}

/**
 * Middleware for Express, Connect and Node's own `http`. It sets `request.inkling` and refuses what your rules deny.
 *
 * @example
 * const origin = 'https://shop.example'
 * app.use(expressGuard(inkling, { facts: (request) => ({ origin, address: request.socket.remoteAddress ?? '' }) }))
 */
export function expressGuard<Sent extends NodeRequest>(
  client: Pick<Client, 'assess'>,
  options: GuardOptions<Sent>,
): (
  request: Sent & { inkling?: Assessment | undefined },
  response: NodeResponse,
  next: (error?: unknown) => void,
) => void {
  const guard = guardOf(client, options, edgeRequestOfNode)
  return (request, response, next) => {
    guard(request)
      .then(({ assessment, refusal }) => {
        request.inkling = assessment
        if (!refusal) return next()
        response.statusCode = refusal.status
        if (refusal.retryAfterSeconds !== undefined)
          response.setHeader('retry-after', String(refusal.retryAfterSeconds))
        response.end()
      })
      .catch(next)
  }
}

interface FastifyReplyLike {
  code(status: number): FastifyReplyLike
  header(name: string, value: string): FastifyReplyLike
  send(): unknown
}

/**
 * An `onRequest` hook for Fastify.
 *
 * @example
 * app.addHook('onRequest', fastifyGuard(inkling, { facts: (request) => ({ origin: 'https://shop.example', address: request.ip }) }))
 */
export function fastifyGuard<Sent extends { raw: NodeRequest }>(
  client: Pick<Client, 'assess'>,
  options: GuardOptions<Sent>,
): (request: Sent & { inkling?: Assessment | undefined }, reply: FastifyReplyLike) => Promise<unknown> {
  const guard = guardOf(client, options, (request: Sent, facts) => edgeRequestOfNode(request.raw, facts))
  return async (request, reply) => {
    const { assessment, refusal } = await guard(request)
    request.inkling = assessment
    if (!refusal) return undefined
    if (refusal.retryAfterSeconds !== undefined)
      reply.header('retry-after', String(refusal.retryAfterSeconds))
    return reply.code(refusal.status).send()
  }
}

/**
 * For web-standard requests, as of Hono, Next's middleware, Deno, Bun and Cloudflare's Workers: an assessment, and the
 * response to answer with if your rules refuse the request.
 *
 * @example
 * const guard = webGuard(inkling, {
 *   facts: (request) => ({ origin: 'https://shop.example', address: request.headers.get('cf-connecting-ip') ?? '' }),
 * })
 * app.use(async (c, next) => (await guard(c.req.raw)).response ?? next())
 */
export function webGuard<Sent extends Request>(
  client: Pick<Client, 'assess'>,
  options: GuardOptions<Sent>,
): (request: Sent) => Promise<{ assessment: Assessment | undefined; response: Response | undefined }> {
  const guard = guardOf(client, options, edgeRequestOfWeb)
  return async (request) => {
    const { assessment, refusal } = await guard(request)
    if (!refusal) return { assessment, response: undefined }
    const { status, retryAfterSeconds } = refusal
    const headers = retryAfterSeconds === undefined ? undefined : { 'retry-after': String(retryAfterSeconds) }
    return { assessment, response: new Response(null, { status, ...(headers && { headers }) }) }
  }
}
