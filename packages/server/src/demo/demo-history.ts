import { type Explanation, type HistoryRow, isUuid, NIL_UUID } from '@inkling/contract'
import { type Client, InklingError } from '@inkling/sdk'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import type { DemoDeps } from './demo-routes.ts'
import type { DeliveryLog } from './demo-webhook.ts'

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

/** Enough to compare; the page shows no more. */
const SHOWN = 8

interface DeviceDeps extends Pick<DemoDeps, 'warn'> {
  inkling: Client
}

/** GET /demo/device/:deviceId: the last visits of one device, those of other windows included. */
export function demoDevice({ inkling, warn }: DeviceDeps): FastifyPluginAsync {
  return async (app) => {
    app.get<{ Params: { deviceId: string } }>('/demo/device/:deviceId', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const deviceId = request.params.deviceId.toLowerCase()
      // The nil device is everybody without one: never group by it.
      if (!isUuid(deviceId) || deviceId === NIL_UUID) return refuse(reply, 'invalid_request')
      try {
        const { data } = await inkling.history.search('device_id', deviceId, { limit: SHOWN })
        return { visits: data.map(presentVisit) }
      } catch (error) {
        const code = refusalOf(error)
        warn?.('the demo could not read the visits of a device', error)
        return refuse(reply, code)
      }
    })
  }
}

const presentVisit = (row: HistoryRow) => ({
  request_id: row.request_id,
  session_id: row.session_id,
  cookie_id: row.cookie_id,
  device_id: row.device_id,
  visitor_id: row.visitor_id,
  user_hid: row.user_hid,
  score: row.score,
  created_at: row.created_at,
})

const REFUSALS = {
  invalid_request: { status: 400, error: 'not an identifier' },
  not_scored: { status: 404, error: 'not scored yet' },
  api_key_rejected: { status: 401, error: 'the History API rejected the API key of the demo' },
  rate_limited: { status: 429, error: 'too many requests' },
  history_unavailable: { status: 502, error: 'the History API did not answer' },
} as const

/** Why the page gets no answer, as far as the demo's backend can tell. */
export type DemoRefusalCode = keyof typeof REFUSALS

export function refuse(reply: FastifyReply, code: DemoRefusalCode): FastifyReply {
  const { status, error } = REFUSALS[code]
  return reply.code(status).send({ error, code })
}

/** What a failed read of the History API means for the page. A mistake of ours stays an exception. */
export function refusalOf(error: unknown): DemoRefusalCode {
  if (!(error instanceof InklingError)) throw error
  if (error.code === 'unauthorized') return 'api_key_rejected'
  return error.code === 'rate_limited' ? 'rate_limited' : 'history_unavailable'
}
