import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { clockMs } from '../lib/clock.ts'

/** Times of `clockMs` when events of a request ID had fully arrived. */
export type Arrivals = Map<string, number[]>

export interface Receiver {
  url: string
  arrivals: Arrivals
  close(): void
}

const REQUEST_ID = /"request_id":"([0-9a-f-]{36})"/

/** A webhook receiver with as little overhead as possible. */
export async function openReceiver(): Promise<Receiver> {
  const arrivals: Arrivals = new Map()
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => {
      text += chunk
    })
    request.on('end', () => {
      const requestId = REQUEST_ID.exec(text)?.[1]
      if (requestId !== undefined) note(arrivals, requestId)
      response.writeHead(200, { 'content-length': 0 }).end()
    })
    // A killed sender breaks off, so only complete events count.
    request.on('error', () => undefined)
  })
  await listen(server)
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/webhook`, arrivals, close: () => void server.close() }
}

async function listen(server: Server): Promise<void> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
}

function note(arrivals: Arrivals, requestId: string): void {
  const known = arrivals.get(requestId)
  if (known) known.push(clockMs())
  else arrivals.set(requestId, [clockMs()])
}
