import { isUuid } from '@inkling/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../lib/errors.ts'
import { takeOne } from '../lib/limits.ts'
import { callerOf, requestFacts } from './caller.ts'
import type { IngestDeps } from './ingest-routes.ts'

export interface TicketParams {
  Params: { requestId: string }
}

/**
 * GET /ticket/:request_id?publicKey=KEY. Answers with a ticket for the body of this request ID. It reads and writes
 * nothing but memory.
 */
export async function sendTicket(
  request: FastifyRequest<TicketParams>,
  reply: FastifyReply,
  address: string,
  { directory, tickets, ticketLimit, observe }: TicketDeps,
) {
  const { domain, host } = callerOf(request, directory)
  const requestId = request.params.requestId.toLowerCase()
  if (!isUuid(requestId)) throw new AppError('INK_INVALID_FIELD', 'request ID must be a UUID')
  await takeOne(ticketLimit, address)
  const ticket = tickets.issue({
    requestId,
    domainId: domain.id,
    host,
    address,
    request: requestFacts(request.headers),
    network: observe(request, { requestId, address }),
  })
  return reply.type('text/plain; charset=utf-8').header('cache-control', 'no-store').send(ticket)
}

type TicketDeps = Pick<IngestDeps, 'directory' | 'tickets' | 'ticketLimit' | 'observe'>
