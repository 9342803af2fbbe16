import { InklingError } from '@inkling/sdk'
import type { FastifyReply } from 'fastify'

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
