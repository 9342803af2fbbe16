import { once } from 'node:events'
import { Agent, WebSocket } from 'undici'
import type { Attempt } from '../attempt.ts'
import type { Header } from './send.ts'

/** Opens the follow-up channel of a request ID as the agent does, over a library's TLS, and reports what it asks for. */
export async function reportOverChannel(
  attempt: Attempt,
  { requestId, ticket, headers }: { requestId: string; ticket: string; headers: readonly Header[] },
): Promise<void> {
  const { installation, publicKey } = attempt
  const url = `${installation.scriptUrl.replace(/^http/, 'ws')}/follow/${requestId}?publicKey=${publicKey}`
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } })
  const origin = headers.find(([name]) => name.toLowerCase() === 'origin')?.[1] ?? ''
  const userAgent = headers.find(([name]) => name.toLowerCase() === 'user-agent')?.[1] ?? ''
  const socket = new WebSocket(url, { dispatcher, headers: { origin, 'user-agent': userAgent } })
  socket.addEventListener('message', () => {
    socket.send(JSON.stringify({ ticket, network: { outcome: 'failed', answered: false }, readings: {} }))
  })
  socket.addEventListener('close', () => void dispatcher.destroy())
  await once(socket, 'message')
}
