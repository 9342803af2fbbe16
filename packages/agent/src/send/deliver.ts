import type { SEALED_VERDICT_HEADER as HEADER, IngestBody } from '@inkling/contract'
import { ask } from './ask.ts'
import type { Prover } from './proof.ts'
import { openSealer } from './seal.ts'

export interface Delivery {
  url: string
  requestId: string
  serverKey: string | undefined
  /** The body with what is known at the time of the call. */
  body: () => IngestBody
  /** Resolves when the body is complete. */
  ready: Promise<unknown>
  prover: Prover
  /** Called once the visit is stored, with what the answer has for the customer's backend. */
  sealed: (verdict: string | null) => void
}

/**
 * Sends exactly one body: the complete one, or what is known when the page is hidden before that. Resolves as soon as
 * the request was made, whether or not it arrives.
 */
export async function deliver({
  url,
  requestId,
  serverKey,
  body,
  ready,
  prover,
  sealed,
}: Delivery): Promise<void> {
  const watching = new AbortController()
  const hidden = whenHidden(watching.signal, () => prover.proveNow(body()))
  const sealing = serverKey ? openSealer(requestId, serverKey).catch(() => undefined) : undefined
  const complete = async (): Promise<string | Blob> => {
    await ready
    const plain = await prover.prove(body())
    const seal = await sealing
    // Plain where the page cannot encrypt or the server gave no key. The server reads both forms.
    return seal ? seal(plain).catch(() => plain) : plain
  }
  // A page that is hidden may have no time left to encrypt, so its body is plain.
  const payload = await Promise.race([hidden, complete()])
  watching.abort()
  void post(url, payload, sealed)
}

/**
 * Resolves with what `take` returns at the moment the page is hidden, which on phones is the last event a page gets
 * (https://www.igvita.com/2015/11/20/dont-lose-user-and-app-state-use-page-visibility/). Some browsers navigate away
 * without it; they fire `pagehide`.
 */
const whenHidden = <Value>(signal: AbortSignal, take: () => Value): Promise<Value> =>
  new Promise((resolve) => {
    const onVisibility = () => {
      if (document.visibilityState === 'hidden') resolve(take())
    }
    document.addEventListener('visibilitychange', onVisibility, { signal })
    addEventListener('pagehide', () => resolve(take()), { signal })
  })

/**
 * Requests that outlive their page may have 64 KiB of bodies together
 * (https://fetch.spec.whatwg.org/#http-network-or-cache-fetch), so a little less for one.
 */
const KEEPALIVE_BYTES_MAX = 60 * 1_024

const WAITS_MS = [0, 500, 2_000]
/** Repeated here, because importing the value would bundle the schema library. The type keeps the two equal. */
const SEALED_VERDICT_HEADER: typeof HEADER = 'x-sealed-verdict'

/**
 * Posts a body. The server keeps the first body of a request ID, so a second arrival changes nothing. Text or a blob
 * without a type, and no headers: such a request needs no preflight.
 */
const post = (url: string, body: string | Blob, sealed: Delivery['sealed']) =>
  ask(url, WAITS_MS, {
    method: 'POST',
    keepalive: new Blob([body]).size < KEEPALIVE_BYTES_MAX,
    body,
    seen: (answer) => sealed(answer.headers.get(SEALED_VERDICT_HEADER)),
  })
