import { createHmac, timingSafeEqual } from 'node:crypto'
import type { TurnSource } from './turn-source.ts'

/** What `RTCPeerConnection` takes as `username` and `credential` of an ICE server. */
export interface TurnCredential {
  username: string
  credential: string
}

/** Long enough for a slow page to begin its check; the browser runs it right after it got the credential. */
export const CREDENTIAL_SECONDS = 60

/**
 * A credential that names the request it was given for, in the time-limited form of TURN's REST interface
 * (draft-uberti-behave-turn-rest), which other TURN servers read too.
 * @param nowMs of the wall clock
 */
export function issueTurnCredential(secret: Buffer, requestId: string, nowMs: number): TurnCredential {
  const username = `${Math.floor(nowMs / 1000) + CREDENTIAL_SECONDS}:${requestId}`
  return { username, credential: turnPassword(secret, username) }
}

/** The password that belongs to a username; only who knows the secret can tell it. */
export const turnPassword = (secret: Buffer, username: string): string =>
  createHmac('sha1', secret).update(username).digest('base64')

/**
 * The request that a username names; undefined when it has expired or has another form. That it was issued
 * here shows the message's integrity under {@link turnPassword}, and nothing else.
 */
export function requestOfUsername(username: string, nowMs: number): string | undefined {
  const [, expiry, requestId] = /^(\d{1,12}):([0-9a-zA-Z_-]{1,64})$/.exec(username) ?? []
  return Number(expiry) * 1000 > nowMs ? requestId : undefined
}

/** A browser answers within a round trip and gives up after about ten seconds. */
export const NONCE_LIFETIME_MS = 10_000

const TIME_BYTES = 6
/** 96 bits, which nobody guesses in ten seconds; 24 characters with the time. */
const MAC_BYTES = 12
const TEXT_LENGTH = ((TIME_BYTES + MAC_BYTES) / 3) * 4

/**
 * A challenge that only `source` can answer, because only it received it. It carries the time of its issue,
 * so that nothing is kept and the answer tells the round trip: who answers late makes it longer, and
 * nobody can make it shorter.
 * @param nowMs of a clock that never goes back, from 0 on; kept to the microsecond
 */
export function issueTurnNonce(key: Buffer, source: TurnSource, nowMs: number): string {
  const time = Buffer.alloc(TIME_BYTES)
  time.writeUIntBE(Math.floor(nowMs * 1000), 0, TIME_BYTES)
  return Buffer.concat([time, nonceMac(key, source, time)]).toString('base64url')
}

/** When the nonce was issued, in milliseconds of the same clock; undefined when not to `source` or too long ago. */
export function turnNonceIssuedAt(
  key: Buffer,
  source: TurnSource,
  nonce: string,
  nowMs: number,
): number | undefined {
  if (nonce.length !== TEXT_LENGTH) return undefined
  const bytes = Buffer.from(nonce, 'base64url')
  if (bytes.length !== TIME_BYTES + MAC_BYTES) return undefined
  const time = bytes.subarray(0, TIME_BYTES)
  if (!timingSafeEqual(bytes.subarray(TIME_BYTES), nonceMac(key, source, time))) return undefined
  const issuedAtMs = time.readUIntBE(0, TIME_BYTES) / 1000
  return nowMs - issuedAtMs < NONCE_LIFETIME_MS ? issuedAtMs : undefined
}

const nonceMac = (key: Buffer, { transport, address, port }: TurnSource, time: Buffer): Buffer =>
  createHmac('sha256', key)
    .update(`${transport} ${address} ${port} `)
    .update(time)
    .digest()
    .subarray(0, MAC_BYTES)
