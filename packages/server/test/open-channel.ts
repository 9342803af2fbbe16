import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import type { TurnTask } from './pass-network-check.ts'
import type { TestServer } from './running-server.ts'

export interface TestChannel {
  /** What the server asks the browser to check. */
  task: TurnTask
  report(message: object): void
  closed: Promise<unknown>
}

/** Opens the follow-up channel of a request like its page. Resolves with the server's first message. */
export async function openChannel(
  { port, keys }: Pick<TestServer, 'port' | 'keys'>,
  requestId: string,
): Promise<TestChannel> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/follow/${requestId}?publicKey=${keys.public_key}`, {
    origin: `https://${keys.domain}`,
  })
  onTestFinished(() => socket.terminate())
  const closed = new Promise((resolve) => socket.on('close', resolve))
  const first = await new Promise<string>((resolve, reject) => {
    socket.once('message', (data) => resolve(String(data)))
    socket.once('error', reject)
  })
  return {
    task: JSON.parse(first).network_check,
    report: (message) => socket.send(JSON.stringify(message)),
    closed,
  }
}
