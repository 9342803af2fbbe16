import { createHmac } from 'node:crypto'

/**
 * Value of the signature header: HMAC-SHA256 over the exact body bytes. The key is the whole secret as
 * text, its `whsec_` prefix included.
 */
export const sign = (body: Uint8Array, secret: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
