import { connect } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * Sends requests on one connection without waiting for responses, so that thousands cost the client little. Resolves with
 * their statuses, in order, once all are answered.
 */
export async function pipelined(port: number, requests: readonly string[]): Promise<number[]> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write(requests.join(''))
  let text = ''
  for await (const chunk of socket) {
    text += String(chunk)
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
    if (statuses.length === requests.length) return statuses
  }
  throw new Error('the server closed before all was answered')
}
