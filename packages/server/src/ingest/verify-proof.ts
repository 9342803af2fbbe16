import { digestOf, isUuid } from '@inkling/contract'
import type { MeasuredCurve, Proof } from '../visit/proof.ts'
import type { SeenBodies } from './seen-bodies.ts'
import { measuredCurves } from './ticket-curves.ts'
import type { TicketHolder, Tickets } from './tickets.ts'
import { verifyKey } from './verify-key.ts'

export interface ProofDeps {
  tickets: Tickets
  seenBodies: SeenBodies
}

/** A plain body, the request ID that it names, and what is kept of it. */
export interface ProvenBody {
  text: string
  namedId: unknown
  body: string
}

/**
 * What a body proves. It never refuses one: plain bodies without a proof stay accepted.
 * @param holder who sent the body
 */
export function verifyProof(
  { text, namedId, body }: ProvenBody,
  holder: TicketHolder,
  { tickets, seenBodies }: ProofDeps,
): { proof: Omit<Proof, 'expected'>; curves: readonly MeasuredCurve[] | undefined } {
  const { requestId } = holder
  const { sent, before } = readProof(text)
  const interrupted = sent.interrupted === true
  const ticketText = typeof sent.ticket === 'string' ? sent.ticket : ''
  const claim = (content: string): string => `${requestId} ${ticketText} ${content}`
  const ticket = tickets.check(sent.ticket, holder)
  const firstRequestId =
    anotherId(namedId, requestId) ?? seenBodies.firstUse(holder.domainId, body, requestId)
  const proof: Omit<Proof, 'expected'> = {
    ticket:
      firstRequestId === undefined ? ticket : { ...ticket, state: 'repeated', why: 'body', firstRequestId },
    body:
      sent.digest === undefined ? 'unbound' : sent.digest === digestOf(claim(before)) ? 'bound' : 'altered',
    interrupted,
    key: verifyKey(sent, claim(interrupted ? '' : before)),
  }
  return {
    proof,
    curves: proof.ticket.state === 'valid' ? measuredCurves(ticketText, sent.curves) : undefined,
  }
}

/** The request ID that a body was made for, if it is another one than it came under. */
function anotherId(namedId: unknown, requestId: string): string | undefined {
  if (typeof namedId !== 'string' || !isUuid(namedId)) return undefined
  return namedId.toLowerCase() === requestId ? undefined : namedId.toLowerCase()
}

interface SentProof {
  ticket?: unknown
  digest?: unknown
  key?: unknown
  signature?: unknown
  interrupted?: unknown
  curves?: unknown
}

/** Quotes inside of texts are escaped, so nothing else looks like the key. */
const PROOF_START = ',"proof":'
/** Several times what an agent sends. */
const PROOF_LENGTH_MAX = 2_048

/** The proof at the end of a body, and what stands before it. Anywhere else it proves nothing. */
function readProof(text: string): { sent: SentProof; before: string } {
  const endAt = Math.max(0, text.length - PROOF_LENGTH_MAX)
  const inEnd = text.slice(endAt).lastIndexOf(PROOF_START)
  const none = { sent: {}, before: text }
  if (inEnd < 0) return none
  const start = endAt + inEnd
  try {
    const { proof, ...others } = JSON.parse(`{${text.slice(start + 1)}`)
    const isLast = Object.keys(others).length === 0 && typeof proof === 'object' && proof !== null
    return isLast ? { sent: proof, before: text.slice(0, start) } : none
  } catch {
    // The key of an object inside of another.
    return none
  }
}
