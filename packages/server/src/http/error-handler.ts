import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { type SendError, sendJson } from '../lib/answers.ts'
import { AppError, ERRORS, type ErrorCode, errorCodeOf } from '../lib/errors.ts'
import { throttledLog } from '../lib/log.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For a route whose errors have a form of their own. */
    sendError?: SendError
  }
}

/** An overload would otherwise write thousands of lines in a second. */
const BUSY_LOG_INTERVAL_MS = 10_000

/** What the log says where callers read no more than that the server is busy. */
const BUSY_TEXTS: Partial<Record<ErrorCode, string>> = {
  INK_SERVER_BUSY: 'too many requests at once',
  INK_DATABASE_UNAVAILABLE: 'the database is unavailable',
  INK_DISK_BUDGET: 'a disk budget is used up',
}

/**
 * The one place where an error becomes an HTTP answer. An error of the list in `lib/errors.ts` is answered with its
 * message; the message of anything else goes to the log only.
 */
export function createErrorHandler(log: Logger) {
  const busyLogs = new Map<ErrorCode, (error: Error) => void>()

  /** Each code has its own interval, so that an overload does not hide an outage. */
  function logBusy(code: ErrorCode, error: Error): void {
    const write =
      busyLogs.get(code) ??
      throttledLog<Error>(BUSY_LOG_INTERVAL_MS, ({ cause, message }, times) =>
        log.warn({ code, err: cause, times }, BUSY_TEXTS[code] ?? message),
      )
    busyLogs.set(code, write)
    write(error)
  }

  return (error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { code, status, text } = answerTo(error)
    const route = routeOf(request)
    if (status === 503) logBusy(code, error)
    if (code === 'INK_INTERNAL') log.error({ route, code, err: error }, 'request failed')
    else log.debug({ route, code, reason: text, cause: error.cause }, 'refused')
    if (error instanceof AppError && error.retryAfterSeconds !== undefined)
      reply.header('retry-after', error.retryAfterSeconds)
    const send = request.routeOptions.config.sendError ?? sendJson
    return send(reply, status, { error: text })
  }
}

interface Answer {
  code: ErrorCode
  status: number
  text: string
}

function answerTo(error: FastifyError | Error): Answer {
  const code = errorCodeOf(error)
  if (code) {
    const status = statusOf(code)
    // An operator's error has no status: that a request meets one is our fault, and its text may name a file.
    return status === undefined ? standard('INK_INTERNAL') : { code, status, text: error.message }
  }
  // The framework's own errors: an unsupported type, a body that is too large, a broken header.
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500
  if (status === 413) return { ...standard('INK_BODY_TOO_LARGE'), status }
  return status < 500 ? { ...standard('INK_UNREADABLE_REQUEST'), status } : standard('INK_INTERNAL')
}

const standard = (code: ErrorCode): Answer => ({
  code,
  status: statusOf(code) ?? 500,
  text: ERRORS[code].text,
})

const statusOf = (code: ErrorCode): number | undefined => {
  const entry = ERRORS[code]
  return 'status' in entry ? entry.status : undefined
}

/** The pattern of the route: the path itself may hold a key or an identifier. */
const routeOf = ({ method, routeOptions }: FastifyRequest): string => `${method} ${routeOptions.url ?? ''}`

/** Node's codes of requests that its parser gave up on, with their statuses; any other one is a 400. */
const PARSER_STATUS: Record<string, number> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 }

/**
 * Answers bytes that are not HTTP like every other error, then closes the socket, as nobody knows where the next
 * request on it would begin.
 */
export function answerParserError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable || isAnswering(socket)) {
    socket.destroy()
    return
  }
  const status = PARSER_STATUS[error.code ?? ''] ?? 400
  const body = `${JSON.stringify({ error: ERRORS.INK_UNREADABLE_REQUEST.text })}\n`
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json',
    'X-Content-Type-Options: nosniff',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}

/** Whether an answer has begun, into which another one must not be written. */
const isAnswering = (socket: Socket & { _httpMessage?: ServerResponse }): boolean =>
  socket._httpMessage?.headersSent === true
