import { InklingError } from '../inkling-error.ts'
import { isSigned, type SignatureHeader } from './is-signed.ts'
import { readEvent, type WebhookDelivery } from './read-event.ts'

const utf8 = new TextEncoder()

/**
 * The event in a webhook, once its signature is verified. Give it the body as it arrived, byte for byte:
 * parsing and writing JSON again changes the bytes. `header` is the value of `X-Svc-Signature`, and a
 * secret is the whole text, `whsec_` included. After a rotation give both secrets until every process uses
 * the new one.
 *
 * @example
 * const { kind, event } = await webhooks.verify(rawBody, request.headers['x-svc-signature'], [secret])
 * if (kind === 'identification.scored') queue.add(event.data)
 *
 * @throws InklingError `invalid_signature`: answer 401; `malformed_event`: answer 400; `invalid_argument`
 *   when no secret is given
 */
export async function verify(
  rawBody: Uint8Array | ArrayBuffer | string,
  header: SignatureHeader,
  secrets: string | readonly string[],
): Promise<WebhookDelivery> {
  const body = typeof rawBody === 'string' ? utf8.encode(rawBody) : new Uint8Array(rawBody)
  if (await isSigned(body, header, secrets)) return readEvent(body)
  throw new InklingError('invalid_signature', 'no secret given here signed this body')
}
