import { createHmac } from 'node:crypto'

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
