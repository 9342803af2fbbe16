import type { FastifyReply } from 'fastify'
import { type SendError, sendJson } from '../lib/answers.ts'

/**
 * Forms of errors that clients of the earlier service rely on. Comments in this folder name the rule that requires
 * each one: § is a section of the interface, S of its supplement, as in the names of the tests in `test/contract`.
 */

/** History's 401 is JSON text with the content type of plain text (S8). */
export const sendHistoryError: SendError = (reply, status, body) =>
  status === 401
    ? reply
        .code(401)
        .header('content-type', 'text/plain; charset=utf-8')
        .send(`${JSON.stringify(body)}\n`)
    : sendJson(reply, status, body)

/** They announce the end of the deprecated route, on every answer but 429 and 503 (§4.3). */
const ENDING_HEADERS = ['deprecation', 'sunset', 'link']

/** The Management API has forms of its own for these errors (§4.3, 5; S7). */
export const sendManagementError: SendError = (reply, status, body) => {
  switch (status) {
    case 401:
      return reply.code(401).send()
    case 410:
      return sendManagementJson(reply, status, body.error)
    case 429:
      return sendManagementJson(reply, status, body)
    case 503:
      // The route has announced its end already, which this answer does not.
      for (const name of ENDING_HEADERS) reply.removeHeader(name)
      return sendManagementJson(reply, status, body)
    default:
      return sendJson(reply, status, body)
  }
}

/** JSON with a charset and without a newline; bare strings and null are bodies, too (S7). */
export const sendManagementJson = (
  reply: FastifyReply,
  status: number,
  body: object | string | null,
): FastifyReply =>
  reply.code(status).header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(body))

const VALUE_SHOWN_MAX = 200
/** The start of a value from a path. Characters stay whole: half of one is no text in JSON. */
export const shown = (value: string): string => [...value].slice(0, VALUE_SHOWN_MAX).join('')

/** The texts of History's 500 for a malformed value, which quote the earlier service's database (S8). */
export const malformedAddress = (value: string): string =>
  `code: 6, message: Cannot parse string '${shown(value)}' as IPv4`
export const malformedUuid = (value: string): string =>
  `code: 53, message: Cannot convert string '${shown(value)}' to type UUID`
