import type { FastifyReply } from 'fastify'

/** Writes an error's answer; the body is `{"error": text}`. */
export type SendError = (reply: FastifyReply, status: number, body: { error: string }) => FastifyReply

/** JSON with a newline at the end, in UTF-8. */
const jsonLine = (body: object): string => `${JSON.stringify(body)}\n`

export const sendJson = (reply: FastifyReply, status: number, body: object): FastifyReply =>
  // As bytes, because Fastify adds a charset to the content type of JSON text.
  reply
    .code(status)
    .header('content-type', 'application/json')
    .send(Buffer.from(jsonLine(body)))

/** The answer when no route matches. */
export const sendNotFound = (reply: FastifyReply): FastifyReply =>
  reply.code(404).header('content-type', 'text/plain; charset=utf-8').send('404 page not found')
