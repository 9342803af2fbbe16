import type { IngestBody } from '@inkling/contract'
import { encryptBody } from './encrypt-body.ts'
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

/** Sends exactly one body: the whole one, or what is there when the page hides before that. */
export async function deliver({ url, requestId, serverKey, body, ready }: Delivery): Promise<void> {
  const text = () => JSON.stringify(body())
  const hiding = whenHidden(text)
  const whole = async () => {
    await ready
    return encrypted(text(), requestId, serverKey)
  }
  // A page that hides may have no time left to encrypt, so that body is plain.
  const payload = await Promise.race([hiding.happened, whole()])
  hiding.stopWatching()
  await post(url, payload)
}

/** Plain JSON where the page cannot encrypt or the server gave no key: the server reads both. */
async function encrypted(
  text: string,
  requestId: string,
  serverKey: string | undefined,
): Promise<string | Blob> {
  if (!serverKey) return text
  try {
    return await encryptBody(text, requestId, serverKey)
  } catch {
    return text
  }
}
