import type { IngestBody } from '@inkling/contract'
import { openSealer } from './open-sealer.ts'
import { post } from './post.ts'
import { whenHidden } from './when-hidden.ts'

export interface Delivery {
  url: string
  requestId: string
  serverKey: string | undefined
  /** The body as far as it is known at that moment. */
  body: () => IngestBody
  /** Resolved when it is known whole. */
  ready: Promise<unknown>
}

/**
 * Sends exactly one body: the whole one, or what is there when the page hides before that. Resolves when it
 * is on its way.
 */
export async function deliver({ url, requestId, serverKey, body, ready }: Delivery): Promise<void> {
  const text = () => JSON.stringify(body())
  const hiding = whenHidden(text)
  const sealing = serverKey ? openSealer(requestId, serverKey).catch(() => undefined) : undefined
  const whole = async (): Promise<string | Blob> => {
    await ready
    const seal = await sealing
    const plain = text()
    // Plain where the page cannot encrypt or the server gave no key: the server reads both.
    return seal ? seal(plain).catch(() => plain) : plain
  }
  // A page that hides may have no time left to encrypt, so that body is plain.
  const payload = await Promise.race([hiding.happened, whole()])
  hiding.stopWatching()
  void post(url, payload)
}
