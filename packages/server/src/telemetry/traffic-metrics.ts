import type { FastifyInstance } from 'fastify'
import { Counter, Histogram, type Registry } from 'prom-client'
import type { IngestOutcome } from '../ingest/ingest-routes.ts'
import type { TicketedVisit } from '../ingest/ticket-rate.ts'
import type { RateLimit } from '../lib/limits.ts'
import type { CutReason } from '../observe/connection/connection-guard.ts'
import type { ChannelRefusal } from '../observe/follow/channel-places.ts'
import type { NodeMessageOutcome } from '../observe/follow/node-links.ts'
import type { TurnMessage } from '../observe/turn/turn-responder.ts'

/** Upper bounds in seconds, from a commit on an idle disk to a caller's timeout. */
export const SECONDS_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const INGEST_OUTCOMES: readonly IngestOutcome[] = [
  'stored',
  'duplicate',
  'over_limit',
  'invalid_request',
  'unauthorized',
  'too_large',
  'busy',
  'failed',
]

const TICKET_STATES: readonly TicketedVisit['state'][] = [
  'valid',
  'missing',
  'expired',
  'repeated',
  'foreign',
  'forged',
]

export function ingestMetrics(registry: Registry) {
  const identifications = new Counter({
    name: 'inkling_identifications_total',
    help: 'Identification requests by outcome',
    labelNames: ['outcome'],
    registers: [registry],
  })
  const acknowledgment = new Histogram({
    name: 'inkling_acknowledgment_seconds',
    help: 'Time from the request of a stored identification to its acknowledgment',
    buckets: SECONDS_BUCKETS,
    registers: [registry],
  })
  const tickets = new Counter({
    name: 'inkling_visit_tickets_total',
    help: 'Stored visits of agents by what their ticket was',
    labelNames: ['state'],
    registers: [registry],
  })
  for (const outcome of INGEST_OUTCOMES) identifications.inc({ outcome }, 0)
  for (const state of TICKET_STATES) tickets.inc({ state }, 0)

  return {
    ingestEnded(outcome: IngestOutcome, elapsedMs: number): void {
      identifications.inc({ outcome })
      if (outcome === 'stored') acknowledgment.observe(elapsedMs / 1_000)
    },
    ticketChecked: (state: TicketedVisit['state']): void => tickets.inc({ state }),
  }
}

export function requestMetrics(registry: Registry) {
  const requests = new Counter({
    name: 'inkling_requests_total',
    help: 'Requests answered by a route, by surface and HTTP status',
    labelNames: ['surface', 'status'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'inkling_request_seconds',
    help: 'Time from a request to the end of its response',
    labelNames: ['surface'],
    buckets: SECONDS_BUCKETS,
    registers: [registry],
  })

  return {
    /** Counts requests to the routes of `scope`. */
    watchRequests(surface: string, scope: FastifyInstance): void {
      scope.addHook('onResponse', (_request, reply, done) => {
        requests.inc({ surface, status: reply.statusCode })
        durations.observe({ surface }, reply.elapsedTime / 1_000)
        done()
      })
    },
  }
}

export function limitMetrics(registry: Registry) {
  const refused = new Counter({
    name: 'inkling_rate_limited_total',
    help: 'Requests rejected by a rate limit, by surface',
    labelNames: ['surface'],
    registers: [registry],
  })
  const alone = new Counter({
    name: 'inkling_limits_counted_alone_total',
    help: 'Requests that a node counted by itself, because what nodes share for rate limits did not respond',
    registers: [registry],
  })

  return {
    limitedAlone: () => alone.inc(),
    /** The same limit, with its rejections counted. */
    countedLimit(surface: string, { take, waitSeconds }: RateLimit): RateLimit {
      refused.inc({ surface }, 0)
      return {
        waitSeconds,
        async take(key) {
          const permission = await take(key)
          if (permission !== 'allowed') refused.inc({ surface })
          return permission
        },
      }
    },
  }
}

const CUT_REASONS: readonly CutReason[] = [
  'too_many',
  'too_many_of_address',
  'opened_too_often',
  'does_not_read',
  'too_much_waiting',
]
const CHANNEL_REFUSALS: readonly ChannelRefusal[] = [
  'opened_too_often',
  'too_many_of_address',
  'too_many',
  'unfinished_messages',
]

/** What was refused so that nobody takes more than his share. */
export function shareMetrics(registry: Registry) {
  const registers = [registry]
  const cuts = new Counter({
    name: 'inkling_connections_cut_total',
    help: 'Connections closed because there were too many, or because their clients did not read',
    labelNames: ['reason'],
    registers,
  })
  const refusals = new Counter({
    name: 'inkling_follow_channels_refused_total',
    help: 'Follow-up channels that were refused, or closed early, by reason',
    labelNames: ['reason'],
    registers,
  })
  const evicted = new Counter({
    name: 'inkling_follow_evicted_total',
    help: 'Visits whose late evidence was dropped, because their address sent too much',
    registers,
  })
  for (const reason of CUT_REASONS) cuts.inc({ reason }, 0)
  for (const reason of CHANNEL_REFUSALS) refusals.inc({ reason }, 0)

  return {
    connectionCut: (reason: CutReason): void => cuts.inc({ reason }),
    channelRefused: (reason: ChannelRefusal): void => refusals.inc({ reason }),
    followUpEvicted: (): void => evicted.inc(),
  }
}

export function turnMetrics(registry: Registry) {
  const messages = new Counter({
    name: 'inkling_turn_messages_total',
    help: 'Messages to the responder of the network check, by transport and result',
    labelNames: ['transport', 'result'],
    registers: [registry],
  })

  return {
    turnMessage({ transport, result }: TurnMessage): void {
      messages.inc({ transport, result })
    },
  }
}

const NODE_OUTCOMES = ['sent', 'received', 'lost', 'refused'] as const satisfies NodeMessageOutcome[]

export function nodeMetrics(registry: Registry) {
  const messages = new Counter({
    name: 'inkling_node_messages_total',
    help: 'Messages between nodes about follow-ups, by outcome',
    labelNames: ['outcome'],
    registers: [registry],
  })
  for (const outcome of NODE_OUTCOMES) messages.inc({ outcome }, 0)

  return {
    nodeMessage(outcome: NodeMessageOutcome): void {
      messages.inc({ outcome })
    },
  }
}
