import { randomUUID } from 'node:crypto'
import type { Attempt, Captured } from './attempt.ts'
import { type Header, type Send, ticketUrl } from './send/send.ts'

/** What forgers do with bodies. */

export interface Forged {
  requestId: string
  headers: readonly Header[]
  body: string
  /** The lengths of curves that the captured body was proven with, for the ticket that it had. */
  curves?: unknown
}

type Body = Record<string, unknown> & {
  readings?: Record<string, { value?: unknown }>
  proof?: { curves?: unknown }
}

/** The same text under another request ID. */
export const copied = ({ headers, body }: Captured): Forged => ({ requestId: randomUUID(), headers, body })

/** What makes a captured body look like another visitor's: new IDs, and no channel that would have to follow. */
export function edited({ headers, body }: Captured, change: (body: Body) => void = () => undefined): Forged {
  const { proof, ...parsed } = JSON.parse(body) as Body
  const requestId = randomUUID()
  if (parsed.request_id !== undefined) parsed.request_id = requestId
  parsed.cookie_id = randomUUID()
  parsed.session_id = randomUUID()
  parsed.duration_ms = 300 + Math.random() * 200
  delete parsed.follow_up
  change(parsed)
  return { requestId, headers, body: JSON.stringify(parsed), curves: proof?.curves }
}

/** The same headers with other values; a header that the browser does not send is added. */
export function withHeaders(headers: readonly Header[], values: Record<string, string>): Header[] {
  const isNamed = (name: string): boolean =>
    headers.some(([other]) => other.toLowerCase() === name.toLowerCase())
  const changed = headers.map(([name, value]): Header => {
    const found = Object.keys(values).find((other) => other.toLowerCase() === name.toLowerCase())
    return [name, found === undefined ? value : (values[found] ?? value)]
  })
  return [...changed, ...Object.entries(values).filter(([name]) => !isNamed(name))]
}

export async function fetchTicket(
  attempt: Attempt,
  send: Send,
  { requestId, headers }: Pick<Forged, 'requestId' | 'headers'>,
): Promise<string> {
  // A request without a body has no type.
  const own = headers.filter(([name]) => name.toLowerCase() !== 'content-type')
  const { status, text } = await send({
    method: 'GET',
    url: ticketUrl(attempt.installation.scriptUrl, attempt.publicKey, requestId),
    headers: own,
  })
  if (status !== 200) throw new Error(`no ticket: ${status}`)
  return text
}

/** A key as the agent makes one. */
export type ForgedKey = CryptoKeyPair

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

export const newKey = async (): Promise<ForgedKey> =>
  (await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])) as CryptoKeyPair

/** The body with a proof like the agent's. */
export async function proven(
  { requestId, headers, body, curves }: Forged,
  { ticket, key, interrupted = false }: { ticket: string; key?: ForgedKey; interrupted?: boolean },
): Promise<Forged> {
  const { digestOf } = (await import('@inkling/contract')) as { digestOf?: (text: string) => string }
  if (!digestOf) throw new Error('this release knows no proof')
  const text = body.slice(0, -1)
  const claim = (content: string): string => `${requestId} ${ticket} ${content}`
  const proof = {
    ticket,
    key: key ? await pointOf(key) : null,
    digest: digestOf(claim(text)),
    curves,
    ...(key && { signature: await signatureOf(key, claim(interrupted ? '' : text)) }),
    ...(interrupted && { interrupted }),
  }
  return { requestId, headers, body: `${text},"proof":${JSON.stringify(proof)}}` }
}

async function pointOf({ publicKey }: ForgedKey): Promise<string> {
  const point = Buffer.from(await crypto.subtle.exportKey('raw', publicKey))
  const sign = 2 + ((point[64] ?? 0) & 1)
  return Buffer.concat([Buffer.of(sign), point.subarray(1, 33)]).toString('base64')
}

async function signatureOf({ privateKey }: ForgedKey, text: string): Promise<string> {
  const signature = await crypto.subtle.sign(ALGORITHM, privateKey, Buffer.from(text))
  return Buffer.from(signature).toString('base64')
}

/** Why the agent's protocol cannot be forged: before tickets there was none. */
export const whyNoProtocol = async (): Promise<string | undefined> =>
  'digestOf' in (await import('@inkling/contract')) ? undefined : 'this release knows no proof'

/** How a forger answers for the curves of a ticket. Without one it repeats the captured answer. */
export type Measure = (ticket: string) => unknown

/** An edited body with everything that the protocol asks for. */
export async function wellForged(
  attempt: Attempt,
  send: Send,
  captured: Captured,
  { change, measure }: { change?: (body: Body) => void; measure?: Measure } = {},
): Promise<Forged> {
  const forged = edited(captured, change)
  const ticket = await fetchTicket(attempt, send, forged)
  const curves = measure ? await measure(ticket) : forged.curves
  return proven({ ...forged, curves }, { ticket, key: await newKey() })
}
