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
import { issueTurnNonce, requestOfUsername, turnNonceIssuedAt, turnPassword } from './turn-credentials.ts'
import type { TurnSource } from './turn-source.ts'

export interface TurnExchangeOptions {
  /** Credentials were issued under it. */
  secret: Buffer
  /** The wall clock, milliseconds. */
  now: () => number
  /** A clock that never goes back, milliseconds with fractions. */
  monotonicMs: () => number
  /** Of every authenticated message, repeated ones too. */
  onSighting: (seen: { requestId: string; sighting: TurnSighting }) => void
}

export interface TurnAnswer {
  reply: Buffer
  /** Whether the check is over: the source has nothing more to ask. */
  last: boolean
}

/** What a message gets from a source; undefined for silence. */
export type TurnExchange = (bytes: Buffer, source: TurnSource) => TurnAnswer | undefined

const REALM = 'inkling'

/**
 * The check: a browser asks for an allocation, is challenged, and answers the challenge with its credential,
 * which shows that somebody who holds it receives at the address. There it ends with a refusal: nothing is
 * ever allocated or relayed. A Binding request, which Chromium sends first, gets its answer.
 */
export function createTurnExchange({
  secret,
  now,
  monotonicMs,
  onSighting,
}: TurnExchangeOptions): TurnExchange {
  // Of this process alone, as its monotonic clock is.
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
    const requestId = requestOfUsername(username, now())
    // The realm is part of the key, and so need not be read.
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
    if (message?.type === MESSAGE.bindingRequest) return tellAddress(message, source)
    if (message?.type !== MESSAGE.allocateRequest) return undefined
    // Every client names the transport; without it a message could be answered with three times its length.
    if (attributeValue(message, ATTRIBUTE.requestedTransport) === undefined) return undefined
    return message.integrity === undefined ? challenge(message, source, 401) : authenticate(message, source)
  }
}

const refuse = ({ transactionId }: StunMessage, attributes: StunAttribute[], key?: Buffer): TurnAnswer => ({
  reply: encodeStunMessage({ type: MESSAGE.allocateError, transactionId, attributes }, key),
  last: false,
})

const tellAddress = ({ transactionId }: StunMessage, { parsed, port }: TurnSource): TurnAnswer => ({
  reply: encodeStunMessage({
    type: MESSAGE.bindingSuccess,
    transactionId,
    attributes: [xorMappedAddress(parsed, port, transactionId)],
  }),
  last: false,
})

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
