import { connect } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * Sends a request on a connection of its own, so that thousands cost the client little. Resolves with its status.
 * @param localAddress where it comes from, as no address may have hundreds of answers that wait
 */
export async function rawStatus(port: number, localAddress: string, request: string): Promise<number> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  onTestFinished(() => void socket.destroy())
  socket.write(request)
  for await (const chunk of socket) return Number(/^HTTP\/1\.1 (\d{3}) /.exec(String(chunk))?.[1])
  throw new Error('the server closed without an answer')
}
