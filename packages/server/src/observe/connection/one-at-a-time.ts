import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Begins the next request of an HTTP/1 connection when the answer before it is sent. Answers leave in the order of the
 * requests anyway, so a client that pipelines loses nothing, and one that never reads costs one answer.
 */
export function createOneAtATime(): (socket: Socket, response: ServerResponse, begin: () => void) => void {
  /** What waits, by the connections that have begun a request. */
  const busy = new WeakMap<Socket, (() => void)[]>()

  function next(socket: Socket): void {
    const begin = busy.get(socket)?.shift()
    if (begin) begin()
    else busy.delete(socket)
  }

  return (socket, response, begin) => {
    response.once('close', () => next(socket))
    const waiting = busy.get(socket)
    if (waiting) waiting.push(begin)
    else {
      busy.set(socket, [])
      begin()
    }
  }
}
