import { digestOf, type IngestBody } from '@inkling/contract'
import { toJson } from '../collect/json.ts'
import { within } from '../collect/turns.ts'
import { deviceKey } from '../visit/device-key.ts'
import { ask } from './ask.ts'
import { curveLengths } from './curves.ts'

/** A body is sent without a ticket that takes longer. Collecting alone may take half of that. */
const LIMIT_MS = 2_000
/** As often as that time allows. */
const WAITS_MS = [0, 500, 500, 500]

/** Ends bodies with what vouches for them; `BodyProof` in the contract describes it. */
export interface Prover {
  /** Resolves with the ticket, empty if there is none; never rejects. */
  ticket: Promise<string>
  /** The text of a complete body. */
  prove(body: IngestBody): Promise<string>
  /** The text of what is known of a page that is being left, at once. */
  proveNow(body: IngestBody): string
}

/**
 * Fetches the ticket of a request ID and the key of the browser at once. Where either is blocked nothing else changes.
 */
export function openProver(url: string, requestId: string): Prover {
  let ticket = ''
  let key: string | null | undefined
  /** A page that is left has no time to sign, so its signature is made before and leaves the body out. */
  let early: string | undefined
  const claim = (content: string) => `${requestId} ${ticket} ${content}`
  const fetched = within(LIMIT_MS, fetchTicket(url), '').then((text) => {
    ticket = text
    return text
  })
  const signing = Promise.all([deviceKey(), fetched]).then(([device]) => {
    key = device?.publicKey ?? null
    const sign = async (content: string) => device?.sign(claim(content)).catch(() => undefined)
    void sign('').then((signature) => {
      early = signature
    })
    return sign
  })
  const open = (body: IngestBody) => toJson(body).slice(0, -1)
  const close = (content: string, more: IngestBody['proof']) =>
    `${content},"proof":${toJson({
      ticket,
      digest: digestOf(claim(content)),
      key,
      curves: ticket ? curveLengths(ticket) : undefined,
      ...more,
    })}}`
  return {
    ticket: fetched,
    async prove(body) {
      const content = open(body)
      const sign = await signing
      return close(content, { signature: await sign(content) })
    },
    proveNow: (body) => close(open(body), { signature: early, interrupted: true }),
  }
}

/** No cache has one: the request ID is new, and the answer says `no-store`. Anything else comes from a proxy. */
async function fetchTicket(url: string): Promise<string> {
  // With this policy the server learns the page also where it has the page's origin, which then is in no other header.
  const text = await ask(url, WAITS_MS, { referrerPolicy: 'origin' })
  return /^[\w-]{96}$/.test(text) ? text : ''
}
