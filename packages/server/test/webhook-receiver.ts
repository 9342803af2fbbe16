import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Received {
  headers: IncomingHttpHeaders
  body: Buffer
}

export interface Receiver {
  url: string
  received: Received[]
  /** Resolves when so many deliveries have come in all. */
  count(deliveries: number): Promise<Received[]>
}

/** A customer's receiver: keeps what it gets and answers with a status of the test's choice. */
export async function webhookReceiver(status: () => number = () => 204): Promise<Receiver> {
  const received: Received[] = []
  let waiting: { deliveries: number; resolve: () => void }[] = []

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks) })
      response.writeHead(status()).end()
      for (const waiter of waiting) if (received.length >= waiter.deliveries) waiter.resolve()
      waiting = waiting.filter(({ deliveries }) => received.length < deliveries)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    async count(deliveries) {
      if (received.length < deliveries)
        await new Promise<void>((resolve) => waiting.push({ deliveries, resolve }))
      return received
    },
  }
}
