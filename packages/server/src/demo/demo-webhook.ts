import { InklingError, webhooks } from '@inkling/sdk'
import type { FastifyPluginAsync } from 'fastify'
import type { DemoDeps } from './demo-routes.ts'

/** An event is about 2 KB; this is a public address. */
const BODY_LIMIT = 64 * 1024

type WebhookDeps = Pick<DemoDeps, 'webhookSecret' | 'signatureHeader' | 'now'> & { deliveries: DeliveryLog }

/** POST /demo/webhook: the receiver, as a customer would write one. It answers at once. */
export function demoWebhook({
  webhookSecret,
  signatureHeader,
  now,
  deliveries,
}: WebhookDeps): FastifyPluginAsync {
  /** Whether it is signed, whatever it says. The page shows the others as well, and calls them unverified. */
  async function isVerified(raw: Buffer, signature: string | undefined): Promise<boolean> {
    try {
      await webhooks.verify(raw, signature, webhookSecret() ?? '')
      return true
    } catch (error) {
      if (error instanceof InklingError) return error.code === 'malformed_event'
      throw error
    }
  }

  return async (app) => {
    // The signature is over the bytes as they came, so nothing may parse them first.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_, body, done) =>
      done(null, body),
    )

    app.post('/demo/webhook', { bodyLimit: BODY_LIMIT }, async (request, reply) => {
      const receivedAtMs = now()
      const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const headers = flat(request.headers)
      const verified = await isVerified(raw, headers[signatureHeader.toLowerCase()])
      const body = raw.toString()
      const requestId = requestIdOf(body)
      if (requestId) deliveries.add(requestId, { receivedAtMs, headers, body, verified })
      return reply.code(204).send()
    })
  }
}

/** A ping and anything that is no event have none. */
function requestIdOf(body: string): string | undefined {
  try {
    const id: unknown = JSON.parse(body)?.data?.request_id
    return typeof id === 'string' ? id.toLowerCase() : undefined
  } catch {
    return undefined
  }
}

const flat = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]))

/** A webhook as it arrived at the demo's receiver. */
export interface Delivery {
  receivedAtMs: number
  headers: Record<string, string>
  /** The raw body as text. */
  body: string
  verified: boolean
}

const KEPT = 100

export interface DeliveryLog {
  add(requestId: string, delivery: Delivery): void
  find(requestId: string): Delivery | undefined
}

/** The last deliveries by request ID, in memory. */
export function deliveryLog(): DeliveryLog {
  const byRequest = new Map<string, Delivery>()
  return {
    add(requestId, delivery) {
      const known = byRequest.get(requestId)
      // The first signed one stays: a repeat adds nothing, and anyone can post an unsigned one.
      if (known?.verified) return
      byRequest.delete(requestId)
      byRequest.set(requestId, delivery)
      const oldest = byRequest.keys().next().value
      if (byRequest.size > KEPT && oldest !== undefined) byRequest.delete(oldest)
    },
    find: (requestId) => byRequest.get(requestId),
  }
}
