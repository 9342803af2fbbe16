import { InklingError, webhooks } from '@inkling/sdk'
import type { FastifyPluginAsync } from 'fastify'
import { LRUCache } from 'lru-cache'

/** An event is about 2 KB, and anyone can post here. */
const BODY_LIMIT = 64 * 1024
const DELIVERIES_MAX = 100

/** A webhook that the demo received. */
export interface DemoDelivery {
  receivedAtMs: number
  headers: Record<string, string>
  /** The raw body as text. */
  body: string
  verified: boolean
}

export interface DeliveryLog {
  add(requestId: string, delivery: DemoDelivery): void
  find(requestId: string): DemoDelivery | undefined
}

/** The latest deliveries by request ID, in memory. */
export function createDeliveryLog(): DeliveryLog {
  const byRequest = new LRUCache<string, DemoDelivery>({ max: DELIVERIES_MAX })
  return {
    add(requestId, delivery) {
      // A verified delivery stays: a repeat adds nothing, and anyone can post an unsigned one.
      if (!byRequest.peek(requestId)?.verified) byRequest.set(requestId, delivery)
    },
    find: (requestId) => byRequest.peek(requestId),
  }
}

export interface DemoWebhookDeps {
  /** Current signing secret of the demo's endpoint, once there is one. */
  webhookSecret: () => string | undefined
  /** Name of the header with the signature, such as `X-Svc-Signature`. */
  signatureHeader: string
  now: () => number
  deliveries: DeliveryLog
}

/** POST /demo/webhook: a receiver as a customer would write it. It answers at once. */
export function demoWebhook({
  webhookSecret,
  signatureHeader,
  now,
  deliveries,
}: DemoWebhookDeps): FastifyPluginAsync {
  /** Whether the signature is right, whatever the body says. The page shows unsigned webhooks as unverified. */
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
    // The signature covers the raw bytes, so nothing may parse them.
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

/** Undefined for a ping, and for what is not an event. */
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
