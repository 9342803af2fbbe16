import { type Explanation, type HistoryRow, isUuid, NIL_UUID } from '@inkling/contract'
import { type Client, InklingError } from '@inkling/sdk'
import type { FastifyPluginAsync } from 'fastify'
import type { DeliveryLog } from './delivery-log.ts'
import { refusalOf, refuse } from './demo-refusal.ts'
import type { DemoDeps } from './demo-routes.ts'

export interface DemoWebhook {
  /** RFC 3339 UTC. */
  receivedAt: string
  headers: Record<string, string>
  body: string
  verified: boolean
  /** Milliseconds from the identification to its webhook, both on the server's clock. */
  afterMs: number
}

export interface DemoVerdict {
  row: HistoryRow
  /** Null when the server keeps none for this identification. */
  explanation: Explanation | null
  webhook?: DemoWebhook
}

interface VerdictDeps extends Pick<DemoDeps, 'warn'> {
  inkling: Client
  deliveries: DeliveryLog
}

/** GET /demo/verdict/:requestId: one look at the History API; the page does the polling. */
export function demoVerdict({ inkling, deliveries, warn }: VerdictDeps): FastifyPluginAsync {
  async function verdictOf(requestId: string): Promise<DemoVerdict | undefined> {
    const verdict = await inkling.verdict(requestId, { timeoutMs: 0 })
    if (!('row' in verdict)) return undefined
    const { row } = verdict
    const explanation = await explanationOf(requestId)
    const delivery = deliveries.find(requestId)
    if (!delivery) return { row, explanation }
    const { receivedAtMs, headers, body, verified } = delivery
    const receivedAt = new Date(receivedAtMs).toISOString()
    const afterMs = receivedAtMs - rowTimeMs(row.created_at)
    return { row, explanation, webhook: { receivedAt, headers, body, verified, afterMs } }
  }

  /** A verdict stands without its explanation; a History host may not offer any. */
  async function explanationOf(requestId: string): Promise<Explanation | null> {
    try {
      return (await inkling.explain(requestId)) ?? null
    } catch (error) {
      if (error instanceof InklingError && error.code === 'not_found') return null
      throw error
    }
  }

  return async (app) => {
    app.get<{ Params: { requestId: string } }>('/demo/verdict/:requestId', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const requestId = request.params.requestId.toLowerCase()
      if (!isUuid(requestId) || requestId === NIL_UUID) return refuse(reply, 'invalid_request')
      try {
        return (await verdictOf(requestId)) ?? refuse(reply, 'not_scored')
      } catch (error) {
        const code = refusalOf(error)
        warn?.('the demo could not read a verdict', error)
        return refuse(reply, code)
      }
    })
  }
}

/** A row's `YYYY-MM-DD HH:MM:SS.mmm` is UTC without saying so. */
const rowTimeMs = (createdAt: string): number => Date.parse(`${createdAt.replace(' ', 'T')}Z`)
