import { createHmac, timingSafeEqual } from 'node:crypto'
import type { TurnSource } from './turn-source.ts'

/** `username` and `credential` of an ICE server, as `RTCPeerConnection` takes them. */
export interface TurnCredential {
  username: string
  credential: string
}

/** The browser starts its check as soon as it has the credential; the rest is for slow pages. */
const CREDENTIAL_SECONDS = 60

/**
 * A time-limited credential whose username carries the request ID, in the form of TURN's REST API, which other TURN
 * servers accept too: https://datatracker.ietf.org/doc/html/draft-uberti-behave-turn-rest-00
 * @param nowMs wall clock
 */
export function issueTurnCredential(secret: Buffer, requestId: string, nowMs: number): TurnCredential {
  const username = `${Math.floor(nowMs / 1000) + CREDENTIAL_SECONDS}:${requestId}`
  return { username, credential: turnPassword(secret, username) }
}

/** The password of a username, derived from the secret. */
export const turnPassword = (secret: Buffer, username: string): string =>
  createHmac('sha1', secret).update(username).digest('base64')

/**
 * The request ID in a username; undefined when it has expired or is malformed. The username is not authenticated:
 * only a message with valid integrity under {@link turnPassword} proves that it was issued here.
 */
export function requestIdOfUsername(username: string, nowMs: number): string | undefined {
  const [, expiry, requestId] = /^(\d{1,12}):([0-9a-zA-Z_-]{1,64})$/.exec(username) ?? []
  return Number(expiry) * 1000 > nowMs ? requestId : undefined
}

/** A browser answers within a round trip and gives up after about ten seconds. */
export const NONCE_LIFETIME_MS = 10_000

const TIME_BYTES = 6
/** 96 bits, too many to guess within ten seconds; 24 characters together with the time. */
const MAC_BYTES = 12
const TEXT_LENGTH = ((TIME_BYTES + MAC_BYTES) / 3) * 4

/**
 * A nonce that only `source` can answer. It carries the time of issue, so the server keeps no state and the answer
 * gives the round trip: a client can make it longer by answering late, but not shorter.
 * @param nowMs monotonic clock starting at 0; stored to the microsecond
 */
export function issueTurnNonce(key: Buffer, source: TurnSource, nowMs: number): string {
  const time = Buffer.alloc(TIME_BYTES)
  time.writeUIntBE(Math.floor(nowMs * 1000), 0, TIME_BYTES)
  return Buffer.concat([time, nonceMac(key, source, time)]).toString('base64url')
}

/** When the nonce was issued, on the same clock; undefined if it expired or was not issued to `source`. */
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
