import type { FastifyReply } from 'fastify'

/** Writes an error's answer; the body is `{"error": text}`. */
export type SendError = (reply: FastifyReply, status: number, body: { error: string }) => FastifyReply

/** JSON with a newline at the end; text outside ASCII is sent as it is. */
const jsonLine = (body: object): string => `${JSON.stringify(body)}\n`

export const sendJson = (reply: FastifyReply, status: number, body: object): FastifyReply =>
  // Bytes, because Fastify adds a charset to the type of JSON that it is given as text.
  reply
    .code(status)
    .header('content-type', 'application/json')
    .send(Buffer.from(jsonLine(body)))

/** JSON text that has always been sent as plain text. */
export const sendUnauthorized = (reply: FastifyReply, message: string): FastifyReply =>
  reply
    .code(401)
    .header('content-type', 'text/plain; charset=utf-8')
    .send(jsonLine({ error: message }))

export const sendTooMany = (reply: FastifyReply): FastifyReply =>
  sendJson(reply, 429, { error: 'too many requests' })

/** The answer to anything no route matches. */
export const sendNotFound = (reply: FastifyReply): FastifyReply =>
  reply.code(404).header('content-type', 'text/plain; charset=utf-8').send('404 page not found')
