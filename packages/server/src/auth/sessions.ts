import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { DAY_MS } from '../lib/durations.ts'
import type { Schema } from '../store/schema.ts'
import type { Store } from '../store/store.ts'
import { auditStore, type SessionRow, type SessionUser, sessionStore } from '../store/users/users.ts'
import { sameUser, type VerifiedUser } from './users.ts'

/** A session ends when it was not used for this long. */
const IDLE_MS = 7 * DAY_MS
/** A session ends after this time, even if it is in use. */
const LASTING_MS = 30 * DAY_MS
/** How long a replaced token answers its successor: another tab was faster, or the answer was lost on its way. */
const GRACE_MS = 60_000
const BROWSER_LENGTH_MAX = 300

export interface OpenSession {
  sessionId: number
  user: SessionUser
  refreshToken: RefreshToken
  /** End of the refresh token. */
  expiresAtMs: number
}

export interface SessionStart {
  /** How the user signed in, for the audit log. */
  method?: string
  /** The browser as it names itself. */
  browser?: string
  /** False where the identity provider did not check just now who it is. */
  proven?: boolean
  /** Runs in the transaction, such as the use of a code. */
  before?: (transaction: Kysely<Schema>) => Promise<void>
}

/**
 * Starts a session.
 * @throws AppError `INK_STEP_ENDED` if the user is not the verified one any more
 */
export async function startSession(
  store: Store,
  verified: VerifiedUser,
  nowMs: number,
  { method = 'password', browser = '', proven = true, before }: SessionStart = {},
): Promise<OpenSession> {
  const refreshToken = newRefreshToken(newFamily())
  const expiresAtMs = nowMs + IDLE_MS
  const { session, user } = await store.writes.transaction().execute(async (transaction) => {
    const user = await sameUser(transaction, verified)
    await before?.(transaction)
    const sessions = sessionStore(transaction)
    await sessions.removeExpired(nowMs)
    await auditStore(transaction).add(
      { actor: user.email, action: 'session.start', target: user.email, detail: { method } },
      nowMs,
    )
    const session = await sessions.add({
      user_id: user.id,
      family: refreshToken.family,
      token_hash: hashRefreshToken(refreshToken),
      created_at: nowMs,
      expires_at: expiresAtMs,
      proven_at: proven ? nowMs : 0,
      browser: browser.slice(0, BROWSER_LENGTH_MAX),
    })
    return { session, user }
  })
  return { sessionId: session.id, user, refreshToken, expiresAtMs }
}

/**
 * Replaces a refresh token by the next one. The replaced token answers the same successor for a minute; a token that is
 * used later than that may be stolen, so its session ends (https://datatracker.ietf.org/doc/html/rfc9700#section-4.14).
 * @param key derives successors, so that they need not be stored
 */
export async function refreshSession(
  store: Store,
  text: string,
  { key, nowMs }: { key: Uint8Array; nowMs: number },
): Promise<OpenSession | undefined> {
  const token = readRefreshToken(text)
  if (!token || !(await isOpen(store, token, nowMs))) return undefined
  return store.writes.transaction().execute(async (transaction) => {
    const sessions = sessionStore(transaction)
    const session = await sessions.findFamily(token.family)
    if (!session) return undefined
    const user = await sessions.user(session.id, session.user_id, nowMs)
    if (!user) return undefined
    const hash = hashRefreshToken(token)
    const refreshToken = successorOf(token, key)
    const expiresAtMs = Math.min(nowMs + IDLE_MS, session.created_at + LASTING_MS)
    const rotated = await sessions.rotate(session.id, hash, {
      token_hash: hashRefreshToken(refreshToken),
      previous_hash: hash,
      rotated_at: nowMs,
      expires_at: expiresAtMs,
    })
    if (rotated) return { sessionId: session.id, user, refreshToken, expiresAtMs }
    // Read again: another request may have replaced the token since.
    const latest = await sessions.findFamily(token.family)
    if (latest && isGraceful(latest, hash, nowMs))
      return { sessionId: session.id, user, refreshToken, expiresAtMs: latest.expires_at }
    await sessions.remove(session.id)
    await auditStore(transaction).add(
      { actor: user.email, action: 'session.reused_token', target: user.email },
      nowMs,
    )
    return undefined
  })
}

/** Whether the token's session goes on. Read before a transaction begins: anybody can send a token that was made up. */
async function isOpen({ reads }: Store, { family }: RefreshToken, nowMs: number): Promise<boolean> {
  const sessions = sessionStore(reads)
  const session = await sessions.findFamily(family)
  return session !== undefined && (await sessions.user(session.id, session.user_id, nowMs)) !== undefined
}

const isGraceful = (
  { previous_hash, rotated_at }: SessionRow,
  tokenHash: Uint8Array,
  nowMs: number,
): boolean =>
  previous_hash !== null &&
  rotated_at !== null &&
  Buffer.compare(previous_hash, tokenHash) === 0 &&
  nowMs - rotated_at < GRACE_MS

/** Ends the session of a refresh token, even of a replaced one. False if there is none. */
export async function endSession(store: Store, text: string, nowMs: number): Promise<boolean> {
  const token = readRefreshToken(text)
  if (!token || !(await isOpen(store, token, nowMs))) return false
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

/** `FAMILY.SECRET`: the family identifies the session, the secret is replaced at each use. */
interface RefreshToken {
  family: Uint8Array
  text: string
}

const newFamily = (): Uint8Array => new Uint8Array(randomBytes(FAMILY_BYTES))

const newRefreshToken = (
  family: Uint8Array,
  secret: Uint8Array = randomBytes(SECRET_BYTES),
): RefreshToken => ({
  family,
  text: `${Buffer.from(family).toString('base64url')}.${Buffer.from(secret).toString('base64url')}`,
})

/** Always the same one, which nobody can derive without the key. */
const successorOf = ({ family, text }: RefreshToken, key: Uint8Array): RefreshToken =>
  newRefreshToken(family, createHmac('sha256', key).update(text).digest())

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
