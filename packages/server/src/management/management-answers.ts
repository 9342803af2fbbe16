import type { FastifyReply } from 'fastify'

/** Unlike History's: with a charset, without a newline, and also for bare strings and null. */
export const sendManagementJson = (
  reply: FastifyReply,
  status: number,
  body: object | string | null,
): FastifyReply =>
  reply.code(status).header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(body))

/** Says nothing of which part was wrong: no body, and so no content type. */
export const sendBadCredentials = (reply: FastifyReply): FastifyReply => reply.code(401).send()
