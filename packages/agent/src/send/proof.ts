import { hashText, type IngestBody } from '@inkling/contract'
import { within } from '../collect/turns.ts'
import { deviceKey } from '../visit/device-key.ts'

/** A body is sent without a ticket that takes longer. Collecting alone may take half of that. */
const LIMIT_MS = 2_000

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
  let text = ''
  let key: string | null | undefined
  /** A page that is left has no time to sign, so its signature is made before and leaves the body out. */
  let early: string | undefined
  const claim = (content: string) => `${requestId} ${text} ${content}`
  const ticket = within(
    LIMIT_MS,
    fetchTicket(url).catch(() => ''),
    '',
  ).then((value) => {
    text = value
    return value
  })
  const signing = Promise.all([deviceKey(), ticket]).then(async ([device]) => {
    key = device?.publicKey ?? null
    const sign = async (content: string) => device?.sign(claim(content)).catch(() => undefined)
    void sign('').then((signature) => {
      early = signature
    })
    return sign
  })
  const open = (body: IngestBody) => JSON.stringify(body).slice(0, -1)
  const close = (content: string, more: IngestBody['proof']) =>
    `${content},"proof":${JSON.stringify({ ticket: text || undefined, digest: hashText(claim(content)), key, ...more })}}`
  return {
    ticket,
    async prove(body) {
      const sign = await signing
      const content = open(body)
      return close(content, { signature: await sign(content) })
    },
    proveNow: (body) => close(open(body), { signature: early, interrupted: true }),
  }
}

/** No cache may hand one ticket to two visits. */
async function fetchTicket(url: string): Promise<string> {
  const answer = await fetch(url, {
    mode: 'cors',
    credentials: 'omit',
    cache: 'no-store',
    // Pages of the server's own origin send no `Origin` with this, and some no referrer.
    referrerPolicy: 'origin',
  })
  const sent = await answer.text()
  // Not the page of a proxy.
  return answer.ok && /^[\w-]{1,128}$/.test(sent) ? sent : ''
}
