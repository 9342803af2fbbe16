import { createHmac } from 'node:crypto'

export interface StandardMessage {
  /** The same in every retry. */
  id: string
  sentAtMs: number
  body: Uint8Array
}

/**
 * The headers of Standard Webhooks, which cover ID, time and body, so that a receiver can refuse an old delivery that
 * is sent again (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
 * @param secrets each adds a signature: after a rotation, the new secret and the one before
 */
export function standardHeaders(
  { id, sentAtMs, body }: StandardMessage,
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(sentAtMs / 1_000))
  const signatures = secrets.map(
    (secret) =>
      `v1,${createHmac('sha256', standardKey(secret)).update(`${id}.${timestamp}.`).update(body).digest('base64')}`,
  )
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

/**
 * The key is what follows `whsec_`, decoded from Base64. Our 32 hexadecimal digits are Base64 of 24 bytes, the least
 * that Standard Webhooks allows, so its libraries take the secret as it is printed.
 */
const standardKey = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
