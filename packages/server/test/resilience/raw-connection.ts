import { once } from 'node:events'
import { connect } from 'node:net'
import { onTestFinished } from 'vitest'

export interface RawConnection {
  /** Sends a request, and resolves with the status of its answer. */
  ask(request: string): Promise<number>
}

/**
 * Opens a connection of its own for one request, so that thousands cost the client little.
 * @param localAddress where it comes from, as no address may have hundreds of answers that wait
 */
export async function rawConnection(port: number, localAddress: string): Promise<RawConnection> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return {
    async ask(request) {
      socket.write(request)
      for await (const chunk of socket) return Number(/^HTTP\/1\.1 (\d{3}) /.exec(String(chunk))?.[1])
      throw new Error('the server closed without an answer')
    },
  }
}
