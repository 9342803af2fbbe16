import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

const STATUS: Record<string, number> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 }

/**
 * Answers what cannot be read as HTTP in the form of every other error. The socket is closed, and says so:
 * nobody knows where the next request on it would begin.
 */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable || answering(socket)) {
    socket.destroy()
    return
  }
  const status = STATUS[error.code ?? ''] ?? 400
  const body = `${JSON.stringify({ error: 'the request could not be read' })}\n`
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}

/** Whether an answer has begun, into the middle of which another must not be written. */
const answering = (socket: Socket & { _httpMessage?: ServerResponse }): boolean =>
  socket._httpMessage?.headersSent === true
