import type { TurnSighting } from '../../visit/network-evidence.ts'
import { ATTRIBUTE, type StunMessage } from './stun-message.ts'

const { requestedTransport, lifetime, username, realm, nonce, messageIntegrity, fingerprint } = ATTRIBUTE

/** Attributes of the authenticated Allocate in their order, as Chromium 156 and Firefox ESR 153 write them. */
const FORMS = [
  { engine: 'libwebrtc', form: [requestedTransport, username, realm, nonce, messageIntegrity] },
  {
    engine: 'gecko',
    form: [requestedTransport, lifetime, username, realm, nonce, messageIntegrity, fingerprint],
  },
] as const

/** Whose network code wrote the message; only an exact form counts, anything else is `other`. */
export function turnEngine({ attributes }: StunMessage): TurnSighting['engine'] {
  const order = attributes.map(({ type }) => type).join()
  return FORMS.find(({ form }) => form.join() === order)?.engine ?? 'other'
}
