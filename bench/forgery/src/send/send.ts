import type { Attempt } from '../attempt.ts'

export type Header = readonly [name: string, value: string]

export interface Sent {
  method: 'GET' | 'POST'
  url: string
  headers: readonly Header[]
  body?: string | Uint8Array<ArrayBuffer>
}

export interface Answer {
  status: number
  text: string
}

/** A way to send a request: each HTTP client has its own handshake and its own order of headers. */
export type Send = (sent: Sent) => Promise<Answer>

/** Posts a body for a request ID like a page of the shop, and waits until the verdict is final. */
export async function deliver(
  attempt: Attempt,
  send: Send,
  {
    requestId,
    headers,
    body,
  }: { requestId: string; headers: readonly Header[]; body: NonNullable<Sent['body']> },
): Promise<string> {
  const { status, text } = await send({ method: 'POST', url: snapshotUrl(attempt, requestId), headers, body })
  if (status !== 200) throw new Error(`the visit was answered with ${status}: ${text.slice(0, 200)}`)
  await attempt.final(requestId)
  return requestId
}

export const ticketUrl = (base: string, publicKey: string, requestId: string): string =>
  `${base}/ticket/${requestId}?publicKey=${publicKey}`

const snapshotUrl = ({ installation, publicKey }: Attempt, requestId: string): string =>
  `${installation.scriptUrl}/snapshot/${requestId}?publicKey=${publicKey}`
