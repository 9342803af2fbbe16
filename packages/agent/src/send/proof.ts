import { digestOf, type IngestBody } from '@inkling/contract'
import { within } from '../collect/turns.ts'
import { deviceKey } from '../visit/device-key.ts'

/** A body is sent without a ticket that takes longer. Collecting alone may take half of that. */
const LIMIT_MS = 2_000
const RETRY_AFTER_MS = 500

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
  const open = (body: IngestBody) => JSON.stringify(body).slice(0, -1)
  const close = (content: string, more: IngestBody['proof']) =>
    `${content},"proof":${JSON.stringify({ ticket, digest: digestOf(claim(content)), key, ...more })}}`
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
  const lastTryMs = performance.now() + LIMIT_MS - RETRY_AFTER_MS
  for (;;) {
    try {
      // With this policy the server learns the page also where it has the page's origin, which then is in no other header.
      const answer = await fetch(url, { credentials: 'omit', referrerPolicy: 'origin' })
      const text = await answer.text()
      if (answer.status < 500) return /^[\w-]{96}$/.test(text) ? text : ''
    } catch {
      // A network that comes back, or a policy that blocks it, which look the same.
    }
    if (performance.now() > lastTryMs) return ''
    await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS))
  }
}
