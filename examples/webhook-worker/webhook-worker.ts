import { createServer, type IncomingMessage, type Server } from 'node:http'
import { InklingError, type ReplayStore, type Verdict, verdictOfEvent, webhooks } from '@inkling/sdk'

export interface WorkerOptions {
  /** Signing secrets of the endpoint; during a rotation both. */
  secrets: readonly string[]
  /** Remembers what was handled. Of several workers all must share one. */
  store: ReplayStore
  print(line: string): void
}

/** An event has two or three kilobytes. */
const BODY_BYTES_MAX = 1_000_000

/** Receives events, verifies each over its raw bytes and handles it once. Inkling waits one second. */
export function createWorker({ secrets, store, print }: WorkerOptions): Server {
  async function receive(request: IncomingMessage): Promise<number> {
    const body = await rawBody(request)
    if (!body) return 413
    const { kind, event } = await webhooks.verify(body, request.headers['x-svc-signature'], secrets)
    // A ping, and what a later release sends, only wants to be acknowledged.
    if (kind !== 'identification.scored') return 204
    await webhooks.handleOnce(event, { store, handle: () => print(lineOf(verdictOfEvent(event))) })
    return 204
  }

  return createServer((request, response) => {
    receive(request).then(
      (status) => response.writeHead(status).end(),
      // Another answer than 2xx lets a server with WEBHOOK_RETRIES deliver it again.
      (error: unknown) => response.writeHead(statusOf(error)).end(),
    )
  })
}

function statusOf(error: unknown): number {
  if (!(error instanceof InklingError)) return 500
  return error.code === 'invalid_signature' ? 401 : 400
}

/** The bytes as they arrived, which the signature is over; undefined when there are too many. */
async function rawBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > BODY_BYTES_MAX) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function lineOf(verdict: Verdict): string {
  if (verdict.status !== 'scored') return `${verdict.requestId} ${verdict.status}`
  const { requestId, score, band, signals } = verdict
  const why = signals.map(({ name, weight }) => ` ${name}:${weight}`).join('')
  return `${requestId} ${score} ${band}${why}`
}
