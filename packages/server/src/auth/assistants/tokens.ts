import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { ASSISTANT_SCOPES, type AssistantScope } from '@inkling/contract/account'
import type { Kysely } from 'kysely'
import { DAY_MS } from '../../lib/durations.ts'
import {
  type AssistantGrantRow,
  assistantGrantStore,
  type GrantTokens,
} from '../../store/assistants/grants.ts'
import { domainStore } from '../../store/domains/domains.ts'
import type { Schema } from '../../store/schema.ts'
import type { Store } from '../../store/store.ts'
import { auditStore, type SessionUser, userStore } from '../../store/users/users.ts'
import { hashKey } from '../keys.ts'

/** Short, because a leaked token works until then. */
const ACCESS_SECONDS = 600
/** A grant ends when its assistant did not ask for a token for this long. */
const IDLE_MS = 30 * DAY_MS
/** A grant ends after this time, even if it is in use. */
const LASTING_MS = 180 * DAY_MS
const SECRET_BYTES = 32
const FAMILY_BYTES = 16

export interface IssuedTokens {
  accessToken: string
  refreshToken: string
  expiresInSeconds: number
  scopes: string
}

export interface CodeUse {
  code: string
  clientId: string
  /** Undefined where the assistant left it out. */
  redirectUri: string | undefined
  verifier: string
}

/**
 * Exchanges a code for tokens. A code that is used twice may be stolen, so what it led to ends
 * (https://datatracker.ietf.org/doc/html/rfc6749#section-4.1.2). Undefined when it does not count.
 */
export async function exchangeCode(
  store: Store,
  { code, clientId, redirectUri, verifier }: CodeUse,
  nowMs: number,
): Promise<IssuedTokens | undefined> {
  return store.writes.transaction().execute(async (transaction) => {
    const grants = assistantGrantStore(transaction)
    const grant = await grants.findByCode(hashKey(code))
    if (!grant || grant.client_id !== clientId) return undefined
    if (grant.family_hash !== null) return endReused(transaction, grant, nowMs)
    const isMeant = redirectUri === undefined || grant.redirect_uri === redirectUri
    if (grant.code_expires_at <= nowMs || !isMeant || !matchesChallenge(verifier, grant)) {
      // Nobody may try a second verifier.
      await grants.remove(grant.id)
      return undefined
    }
    const family = randomBytes(FAMILY_BYTES).toString('base64url')
    const { issued, stored } = newTokens(family, grant, nowMs)
    return (await grants.start(grant.id, { ...stored, family_hash: hashKey(family) })) ? issued : undefined
  })
}

/** Replaces a refresh token by the next one. One that was replaced before may be stolen, so the grant ends. */
export async function refreshGrant(
  store: Store,
  { refreshToken, clientId }: { refreshToken: string; clientId: string },
  nowMs: number,
): Promise<IssuedTokens | undefined> {
  const family = familyOf(refreshToken)
  if (family === undefined) return undefined
  return store.writes.transaction().execute(async (transaction) => {
    const grants = assistantGrantStore(transaction)
    const grant = await grants.findByFamily(hashKey(family))
    if (!grant || grant.client_id !== clientId || grant.expires_at <= nowMs) return undefined
    const { issued, stored } = newTokens(family, grant, nowMs)
    if (await grants.rotate(grant.id, hashKey(refreshToken), stored)) return issued
    return endReused(transaction, grant, nowMs)
  })
}

/** Ends the grant of a token, of either kind (RFC 7009). A token that counts no more is no error. */
export async function revokeToken(
  store: Store,
  { token, clientId }: { token: string; clientId: string },
  nowMs: number,
): Promise<void> {
  const family = familyOf(token)
  await store.writes.transaction().execute(async (transaction) => {
    const grants = assistantGrantStore(transaction)
    const found =
      family === undefined
        ? await transaction
            .selectFrom('assistant_grants')
            .selectAll()
            .where('access_hash', '=', hashKey(token))
            .executeTakeFirst()
        : await grants.findByFamily(hashKey(family))
    if (!found || found.client_id !== clientId) return
    await grants.remove(found.id)
    await record(transaction, found, 'assistant.disconnect', nowMs)
  })
}

/** An assistant with the user for whom it acts. */
export interface AssistantCaller {
  user: SessionUser
  grantId: string
  clientName: string
  domain: { id: number; name: string }
  scopes: readonly AssistantScope[]
}

/** Whoever holds an access token. Rights and user are read each time, so that a change takes effect at once. */
export async function readAssistantToken(
  store: Store,
  token: string,
  nowMs: number,
): Promise<AssistantCaller | undefined> {
  const grant = await assistantGrantStore(store.reads).findByAccess(hashKey(token), nowMs)
  if (!grant) return undefined
  const allowed = grant.scopes.split(' ')
  return {
    user: { id: grant.user_id, email: grant.email, role: grant.role },
    grantId: grant.id,
    clientName: grant.client_name,
    domain: { id: grant.domain_id, name: grant.domain },
    scopes: ASSISTANT_SCOPES.filter((scope) => allowed.includes(scope)),
  }
}

function newTokens(
  family: string,
  { scopes, created_at }: AssistantGrantRow,
  nowMs: number,
): { issued: IssuedTokens; stored: GrantTokens } {
  const accessToken = `inka_${randomBytes(SECRET_BYTES).toString('base64url')}`
  const refreshToken = `inkr_${family}.${randomBytes(SECRET_BYTES).toString('base64url')}`
  return {
    issued: { accessToken, refreshToken, expiresInSeconds: ACCESS_SECONDS, scopes },
    stored: {
      access_hash: hashKey(accessToken),
      access_expires_at: nowMs + ACCESS_SECONDS * 1_000,
      refresh_hash: hashKey(refreshToken),
      used_at: nowMs,
      expires_at: Math.min(nowMs + IDLE_MS, created_at + LASTING_MS),
    },
  }
}

/** The part that all refresh tokens of a grant share; undefined for text of another form. */
const familyOf = (token: string): string | undefined => /^inkr_([\w-]{22})\.[\w-]{43}$/.exec(token)?.[1]

/** RFC 7636, section 4.6. */
function matchesChallenge(verifier: string, { code_challenge }: AssistantGrantRow): boolean {
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false
  const hash = createHash('sha256').update(verifier).digest()
  const challenge = Buffer.from(code_challenge, 'base64url')
  return hash.length === challenge.length && timingSafeEqual(hash, challenge)
}

async function endReused(
  transaction: Kysely<Schema>,
  grant: AssistantGrantRow,
  nowMs: number,
): Promise<undefined> {
  await assistantGrantStore(transaction).remove(grant.id)
  await record(transaction, grant, 'assistant.reused_token', nowMs)
}

async function record(
  transaction: Kysely<Schema>,
  { id, user_id, domain_id, client_name }: AssistantGrantRow,
  action: string,
  nowMs: number,
): Promise<void> {
  const user = await userStore(transaction).find(user_id)
  const domain = await domainStore(transaction).findById(domain_id)
  if (!user || !domain) return
  const detail = { assistant: id, name: client_name }
  await auditStore(transaction).add({ actor: user.email, action, target: domain.name, detail }, nowMs)
}
