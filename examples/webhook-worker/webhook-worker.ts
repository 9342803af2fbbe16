import { createServer, type IncomingMessage, type Server } from 'node:http'
import { InklingError, type ReplayStore, type Verdict, verdictOfEvent, webhooks } from '@inkling/sdk'

export interface WorkerOptions {
  /** Signing secrets of the endpoint. During a rotation pass both. */
  secrets: readonly string[]
  /** Remembers handled events. Several workers must share one store. */
  store: ReplayStore
  print(line: string): void
}

/** An event has two or three kilobytes, so this leaves room for later releases. */
const BODY_BYTES_MAX = 1_000_000

/** Receives events, verifies the signature of each and handles it once. Answer within a second. */
export function createWorker({ secrets, store, print }: WorkerOptions): Server {
  async function receive(request: IncomingMessage): Promise<number> {
    const body = await rawBody(request)
    if (!body) return 413
    const { kind, event } = await webhooks.verify(body, request.headers['x-svc-signature'], secrets)
    // Pings and events of later releases only need an acknowledgment.
    if (kind !== 'identification.scored') return 204
    await webhooks.handleOnce(event, { store, handle: () => print(lineOf(verdictOfEvent(event))) })
    return 204
  }

  return createServer((request, response) => {
    receive(request).then(
      (status) => response.writeHead(status).end(),
      // With WEBHOOK_RETRIES, Inkling delivers an event again after a 500.
      (error: unknown) => response.writeHead(statusOf(error)).end(),
    )
  })
}

function statusOf(error: unknown): number {
  if (!(error instanceof InklingError)) return 500
  return error.code === 'invalid_signature' ? 401 : 400
}

/** The signed bytes; undefined when there are too many. */
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
