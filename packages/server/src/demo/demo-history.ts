import { type Explanation, type HistoryRow, isUuid, NIL_UUID } from '@inkling/contract'
import { type Client, InklingError } from '@inkling/sdk'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { type DemoSessions, type DemoVisitor, visitorOf } from './demo-sessions.ts'
import type { DeliveryLog } from './demo-webhook.ts'

interface DemoDelivery {
  /** RFC 3339 UTC. */
  receivedAt: string
  headers: Record<string, string>
  body: string
  verified: boolean
  /** Milliseconds from the identification to its webhook, by the server's clock. */
  afterMs: number
}

interface DemoVerdict {
  row: HistoryRow
  /** Null when the server has none for this identification. */
  explanation: Explanation | null
  webhook?: DemoDelivery
}

interface HistoryDeps {
  inkling: Client
  sessions: DemoSessions
  warn?: (message: string, error: unknown) => void
}

interface VerdictDeps extends HistoryDeps {
  deliveries: DeliveryLog
}

/** GET /demo/verdict/:requestId: asks the History API once; the page polls. A stranger's visit is like a missing one. */
export function demoVerdict({ inkling, sessions, deliveries, warn }: VerdictDeps): FastifyPluginAsync {
  async function verdictOf(requestId: string, visitor: DemoVisitor): Promise<DemoVerdict | undefined> {
    const verdict = await inkling.verdict(requestId, { timeoutMs: 0 })
    if (!('row' in verdict)) {
      sessions.expect(visitor, requestId)
      return undefined
    }
    const { row } = verdict
    if (!sessions.mayRead(visitor, row)) return undefined
    const explanation = await explanationOf(requestId)
    const delivery = deliveries.find(requestId)
    if (!delivery) return { row, explanation }
    const { receivedAtMs, headers, body, verified } = delivery
    const receivedAt = new Date(receivedAtMs).toISOString()
    const afterMs = receivedAtMs - rowTimeMs(row.created_at)
    return { row, explanation, webhook: { receivedAt, headers, body, verified, afterMs } }
  }

  /** A verdict is useful without its explanation, which an older History API does not have. */
  async function explanationOf(requestId: string): Promise<Explanation | null> {
    try {
      const explanation = await inkling.explain(requestId)
      if (!explanation) return null
      // What the site says of its visitors is not for them.
      const { lists: _lists, labels: _labels, decisions: _decisions, ...shown } = explanation
      return shown
    } catch (error) {
      if (error instanceof InklingError && error.code === 'not_found') return null
      throw error
    }
  }

  return async (app) => {
    app.get<{ Params: { requestId: string } }>('/demo/verdict/:requestId', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const requestId = request.params.requestId.toLowerCase()
      if (!isUuid(requestId) || requestId === NIL_UUID) return sendFailure(reply, 'invalid_request')
      try {
        return (await verdictOf(requestId, visitorOf(request))) ?? sendFailure(reply, 'not_scored')
      } catch (error) {
        const code = failureCodeOf(error)
        warn?.('the demo could not read a verdict', error)
        return sendFailure(reply, code)
      }
    })
  }
}

/** A row's `YYYY-MM-DD HH:MM:SS.mmm` is UTC without a zone. */
const rowTimeMs = (createdAt: string): number => Date.parse(`${createdAt.replace(' ', 'T')}Z`)

/** As many as the page shows. */
const VISITS_SHOWN = 8

/** GET /demo/device/:deviceId: the latest visits of a device. Those of other windows are only counted. */
export function demoDevice({ inkling, sessions, warn }: HistoryDeps): FastifyPluginAsync {
  return async (app) => {
    app.get<{ Params: { deviceId: string } }>('/demo/device/:deviceId', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const deviceId = request.params.deviceId.toLowerCase()
      // Strangers share the nil device.
      if (!isUuid(deviceId) || deviceId === NIL_UUID) return sendFailure(reply, 'invalid_request')
      try {
        const { data } = await inkling.history.search('device_id', deviceId, { limit: VISITS_SHOWN })
        const visitor = visitorOf(request)
        const own = data.filter((row) => sessions.mayRead(visitor, row))
        // A device is no secret, so whoever has none of its visits learns nothing of it.
        return { visits: own.map(presentVisit), elsewhere: own.length === 0 ? 0 : data.length - own.length }
      } catch (error) {
        const code = failureCodeOf(error)
        warn?.('the demo could not read the visits of a device', error)
        return sendFailure(reply, code)
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

const FAILURES = {
  invalid_request: { status: 400, error: 'not an identifier' },
  not_scored: { status: 404, error: 'not scored yet' },
  api_key_rejected: { status: 401, error: 'the History API rejected the API key of the demo' },
  rate_limited: { status: 429, error: 'too many requests' },
  history_unavailable: { status: 502, error: 'the History API did not answer' },
} as const

/** Why the page gets no answer; the page shows a text for each code. */
type FailureCode = keyof typeof FAILURES

function sendFailure(reply: FastifyReply, code: FailureCode): FastifyReply {
  const { status, error } = FAILURES[code]
  return reply.code(status).send({ error, code })
}

/** Why the History API could not be read. Rethrows what is not an error of the SDK: a bug. */
function failureCodeOf(error: unknown): FailureCode {
  if (!(error instanceof InklingError)) throw error
  if (error.code === 'unauthorized') return 'api_key_rejected'
  return error.code === 'rate_limited' ? 'rate_limited' : 'history_unavailable'
}
