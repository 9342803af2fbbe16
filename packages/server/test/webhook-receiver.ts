import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Received {
  method: string
  headers: IncomingHttpHeaders
  /** Names with their original case. */
  headerNames: string[]
  body: Buffer
}

export interface Receiver {
  url: string
  received: Received[]
  /** Resolves once this many deliveries have arrived in total. */
  count(deliveries: number): Promise<Received[]>
}

/** A status, or a status with headers; undefined means no response. */
export type ReceiverAnswer = number | { status: number; headers: Record<string, string> } | undefined

/** A customer's receiver, which records deliveries and responds as the test says. The caller closes it. */
export async function startWebhookReceiver(
  answer: (delivery: Received) => ReceiverAnswer = () => 204,
): Promise<Receiver & { close(): void }> {
  const received: Received[] = []
  let waiting: { deliveries: number; resolve: () => void }[] = []

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const delivery = {
        method: request.method ?? '',
        headers: request.headers,
        headerNames: request.rawHeaders.filter((_, index) => index % 2 === 0),
        body: Buffer.concat(chunks),
      }
      received.push(delivery)
      const given = answer(delivery)
      if (typeof given === 'number') response.writeHead(given).end()
      else if (given) response.writeHead(given.status, given.headers).end()
      for (const waiter of waiting) if (received.length >= waiter.deliveries) waiter.resolve()
      waiting = waiting.filter(({ deliveries }) => received.length < deliveries)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    async count(deliveries) {
      if (received.length < deliveries)
        await new Promise<void>((resolve) => waiting.push({ deliveries, resolve }))
      return received
    },
    close: () => void server.close().closeAllConnections(),
  }
}

/** A receiver for one test. */
export async function webhookReceiver(
  answer: (delivery: Received) => ReceiverAnswer = () => 204,
): Promise<Receiver> {
  const receiver = await startWebhookReceiver(answer)
  onTestFinished(receiver.close)
  return receiver
}
