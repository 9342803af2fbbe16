import { createHash, randomBytes } from 'node:crypto'
import { DAY_MS } from '../lib/durations.ts'
import type { Store } from '../store/store.ts'
import { auditStore, type SessionUser, sessionStore } from '../store/users/users.ts'

/** A session ends when it was not used for this long. */
const IDLE_MS = 7 * DAY_MS
/** A session ends after this time, even if it is in use. */
const LASTING_MS = 30 * DAY_MS

export interface OpenSession {
  sessionId: number
  user: SessionUser
  refreshToken: RefreshToken
  /** End of the refresh token. */
  expiresAtMs: number
}

/** Starts a session. */
export async function startSession(store: Store, user: SessionUser, nowMs: number): Promise<OpenSession> {
  const refreshToken = newRefreshToken(newFamily())
  const expiresAtMs = nowMs + IDLE_MS
  const session = await store.writes.transaction().execute(async (transaction) => {
    const sessions = sessionStore(transaction)
    await sessions.removeExpired(nowMs)
    await auditStore(transaction).add(
      { actor: user.email, action: 'session.start', target: user.email },
      nowMs,
    )
    return sessions.add({
      user_id: user.id,
      family: refreshToken.family,
      token_hash: hashRefreshToken(refreshToken),
      created_at: nowMs,
      expires_at: expiresAtMs,
    })
  })
  return { sessionId: session.id, user, refreshToken, expiresAtMs }
}

/**
 * Replaces a refresh token by the next one. A token that is used twice may be stolen, so its session ends
 * (https://datatracker.ietf.org/doc/html/rfc9700#section-4.14).
 */
export async function refreshSession(
  store: Store,
  text: string,
  nowMs: number,
): Promise<OpenSession | undefined> {
  const token = readRefreshToken(text)
  if (!token) return undefined
  return store.writes.transaction().execute(async (transaction) => {
    const sessions = sessionStore(transaction)
    const session = await sessions.findFamily(token.family)
    if (!session) return undefined
    const user = await sessions.user(session.id, session.user_id, nowMs)
    if (!user) return undefined
    const refreshToken = newRefreshToken(token.family)
    const expiresAtMs = Math.min(nowMs + IDLE_MS, session.created_at + LASTING_MS)
    const rotated = await sessions.rotate(session.id, hashRefreshToken(token), {
      token_hash: hashRefreshToken(refreshToken),
      expires_at: expiresAtMs,
    })
    if (rotated) return { sessionId: session.id, user, refreshToken, expiresAtMs }
    await sessions.remove(session.id)
    await auditStore(transaction).add(
      { actor: user.email, action: 'session.reused_token', target: user.email },
      nowMs,
    )
    return undefined
  })
}

/** Ends the session of a refresh token, even of a replaced one. False if there is none. */
export async function endSession(store: Store, text: string, nowMs: number): Promise<boolean> {
  const token = readRefreshToken(text)
  if (!token) return false
  return store.writes.transaction().execute(async (transaction) => {
    const sessions = sessionStore(transaction)
    const session = await sessions.findFamily(token.family)
    const user = session && (await sessions.user(session.id, session.user_id, nowMs))
    if (!session || !user) return false
    await sessions.remove(session.id)
    await auditStore(transaction).add({ actor: user.email, action: 'session.end', target: user.email }, nowMs)
    return true
  })
}

const FAMILY_BYTES = 16
const SECRET_BYTES = 32

/** `FAMILY.SECRET`: the family identifies the session, the secret works once. */
interface RefreshToken {
  family: Uint8Array
  text: string
}

const newFamily = (): Uint8Array => new Uint8Array(randomBytes(FAMILY_BYTES))

const newRefreshToken = (family: Uint8Array): RefreshToken => ({
  family,
  text: `${Buffer.from(family).toString('base64url')}.${randomBytes(SECRET_BYTES).toString('base64url')}`,
})

const FORM = /^([\w-]{22})\.[\w-]{43}$/

/** Undefined for text of another form. */
function readRefreshToken(text: string): RefreshToken | undefined {
  const family = FORM.exec(text)?.[1]
  return family === undefined
    ? undefined
    : { family: Uint8Array.from(Buffer.from(family, 'base64url')), text }
}

/** The stored form. 256 random bits cannot be found from their hash by guessing. */
const hashRefreshToken = ({ text }: RefreshToken): Uint8Array =>
  new Uint8Array(createHash('sha256').update(text).digest())
