import { randomBytes } from 'node:crypto'
import type { TurnSighting } from '../../visit/network-evidence.ts'
import {
  ATTRIBUTE,
  attributeValue,
  encodeStunMessage,
  errorCode,
  hasIntegrity,
  longTermKey,
  MESSAGE,
  parseStunMessage,
  type StunAttribute,
  type StunMessage,
  xorMappedAddress,
} from './stun-message.ts'
import { issueTurnNonce, requestIdOfUsername, turnNonceIssuedAt, turnPassword } from './turn-credentials.ts'
import type { TurnSource } from './turn-source.ts'

export interface TurnExchangeOptions {
  /** The secret of the credentials. */
  secret: Buffer
  /** Wall clock, milliseconds. */
  now: () => number
  /** Monotonic clock, milliseconds with fractions. */
  monotonicMs: () => number
  /** Called for every authenticated message, repeated ones included. */
  onSighting: (seen: { requestId: string; sighting: TurnSighting }) => void
}

export interface TurnAnswer {
  reply: Buffer
  /** Whether this response ends the check. */
  last: boolean
}

/** Returns the response to a message; undefined to ignore it. */
export type TurnExchange = (bytes: Buffer, source: TurnSource) => TurnAnswer | undefined

const REALM = 'inkling'

/**
 * The network check in the messages of TURN (https://www.rfc-editor.org/rfc/rfc8656#section-7): a browser requests an
 * allocation, gets a challenge, and answers it with its credential, which proves that the holder of the credential
 * receives packets at the address. The answer is always an error, so nothing is ever allocated or relayed. Binding
 * requests, which Chromium sends first, get a normal response.
 */
export function createTurnExchange({
  secret,
  now,
  monotonicMs,
  onSighting,
}: TurnExchangeOptions): TurnExchange {
  // Nonces are valid in this process only, because they carry times of its monotonic clock.
  const nonceKey = randomBytes(32)

  const challenge = (message: StunMessage, source: TurnSource, code: 401 | 438): TurnAnswer =>
    refuse(message, [
      errorCode(code),
      { type: ATTRIBUTE.realm, value: Buffer.from(REALM) },
      { type: ATTRIBUTE.nonce, value: Buffer.from(issueTurnNonce(nonceKey, source, monotonicMs())) },
    ])

  const authenticate = (message: StunMessage, source: TurnSource): TurnAnswer => {
    const username = attributeValue(message, ATTRIBUTE.username)?.toString()
    const nonce = attributeValue(message, ATTRIBUTE.nonce)?.toString()
    if (username === undefined || nonce === undefined) return refuse(message, [errorCode(400)])
    const atMs = monotonicMs()
    const issuedAtMs = turnNonceIssuedAt(nonceKey, source, nonce, atMs)
    if (issuedAtMs === undefined) return challenge(message, source, 438)
    const requestId = requestIdOfUsername(username, now())
    // The realm need not be checked: it is part of the key.
    const key = longTermKey(username, REALM, turnPassword(secret, username))
    if (requestId === undefined || !hasIntegrity(message, key)) return challenge(message, source, 401)

    const { address, port, transport } = source
    const roundTripMs = Math.round((atMs - issuedAtMs) * 1000) / 1000
    onSighting({
      requestId,
      sighting: { address, port, transport, roundTripMs, engine: turnEngine(message) },
    })
    return { ...refuse(message, [errorCode(403)], key), last: true }
  }

  return (bytes, source) => {
    const message = parseStunMessage(bytes)
    if (message?.type === MESSAGE.bindingRequest) return bindingResponse(message, source)
    if (message?.type !== MESSAGE.allocateRequest) return undefined
    // All clients send REQUESTED-TRANSPORT; a shorter request could be amplified to three times its length.
    if (attributeValue(message, ATTRIBUTE.requestedTransport) === undefined) return undefined
    return message.integrity === undefined ? challenge(message, source, 401) : authenticate(message, source)
  }
}

const refuse = ({ transactionId }: StunMessage, attributes: StunAttribute[], key?: Buffer): TurnAnswer => ({
  reply: encodeStunMessage({ type: MESSAGE.allocateError, transactionId, attributes }, key),
  last: false,
})

const bindingResponse = ({ transactionId }: StunMessage, { parsed, port }: TurnSource): TurnAnswer => ({
  reply: encodeStunMessage({
    type: MESSAGE.bindingSuccess,
    transactionId,
    attributes: [xorMappedAddress(parsed, port, transactionId)],
  }),
  last: false,
})

const { requestedTransport, lifetime, username, realm, nonce, messageIntegrity, fingerprint } = ATTRIBUTE

/** Attributes of the authenticated Allocate request in order, as recorded from Chromium 156 and Firefox ESR 153. */
const FORMS = [
  { engine: 'libwebrtc', form: [requestedTransport, username, realm, nonce, messageIntegrity] },
  {
    engine: 'gecko',
    form: [requestedTransport, lifetime, username, realm, nonce, messageIntegrity, fingerprint],
  },
] as const

/** The network code that wrote the message. Only an exact match counts. */
export function turnEngine({ attributes }: StunMessage): TurnSighting['engine'] {
  const order = attributes.map(({ type }) => type).join()
  return FORMS.find(({ form }) => form.join() === order)?.engine ?? 'other'
}
