import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A keep-alive connection with one request at a time, as in a browser. */
export interface Lane {
  /** Sends a complete HTTP request and resolves with the status after the whole response has arrived. */
  send(request: Buffer): Promise<number>
  close(): void
}

/**
 * Implements only the HTTP that it needs: on two cores every microsecond of the load generator is missing
 * from the server under test.
 */
export async function openLane(port: number): Promise<Lane> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  await once(socket, 'connect')
  return laneOver(socket)
}

function laneOver(socket: Socket): Lane {
  let waiting: PromiseWithResolvers<number> | undefined
  let received = ''
  let broken: Error | undefined

  function fail(error: Error): void {
    broken ??= error
    waiting?.reject(broken)
    waiting = undefined
  }

  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    received = received === '' ? chunk : received + chunk
    const status = completeStatus(received)
    if (status === undefined) return
    received = ''
    const answered = waiting
    waiting = undefined
    answered?.resolve(status)
  })
  socket.on('error', fail)
  socket.on('close', () => fail(new Error('the connection was closed')))

  return {
    send(request) {
      if (broken) return Promise.reject(broken)
      if (waiting) return Promise.reject(new Error('one request at a time'))
      waiting = Promise.withResolvers<number>()
      socket.write(request)
      return waiting.promise
    },
    close: () => void socket.destroy(),
  }
}

/** The status of a complete response; undefined while parts are missing. */
function completeStatus(text: string): number | undefined {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd === -1) return undefined
  const length = /\r\ncontent-length: (\d+)/i.exec(text)
  if (!length) throw new Error('a response without content-length')
  if (text.length < headEnd + 4 + Number(length[1])) return undefined
  return Number(text.slice(9, 12))
}
