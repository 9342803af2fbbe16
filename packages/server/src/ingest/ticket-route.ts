import { isUuid } from '@inkling/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Directory } from '../auth/directory.ts'
import { AppError } from '../lib/errors.ts'
import { type RateLimit, takeOne } from '../lib/limits.ts'
import { callerOf, requestFacts } from './caller.ts'
import type { TicketHolder, Tickets } from './tickets.ts'

export interface TicketDeps {
  directory: Directory
  tickets: Tickets
  /** Per visitor address. */
  ticketLimit: RateLimit
  /** What the server saw of the connection that a request came over. */
  observe(request: FastifyRequest, visit: { requestId: string; address: string }): TicketHolder['network']
}

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
  // Images in somebody's post must not use up the tickets of those who read it. Older browsers send no such header.
  if ((request.headers['sec-fetch-dest'] ?? 'empty') !== 'empty')
    throw new AppError('INK_FOREIGN_PAGE', 'tickets are for scripts')
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
