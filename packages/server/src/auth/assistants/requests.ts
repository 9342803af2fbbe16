import { randomBytes } from 'node:crypto'
import { ASSISTANT_SCOPES, type AssistantRequest, type AssistantScope } from '@inkling/contract/account'
import { DAY_MS } from '../../lib/durations.ts'
import { AppError } from '../../lib/errors.ts'
import { type AssistantClientRow, assistantClientStore } from '../../store/assistants/clients.ts'
import { assistantGrantStore } from '../../store/assistants/grants.ts'
import type { Store } from '../../store/store.ts'
import { auditStore, type SessionUser, sessionStore } from '../../store/users/users.ts'
import { hashKey } from '../keys.ts'
import { isRegisteredRedirect } from './redirect-uris.ts'

/** How long a code waits for its assistant. */
const CODE_MS = 60_000
/** A registration that somebody used is kept for as long as its grants can last. */
const USED_CLIENT_MS = 180 * DAY_MS
const ID_BYTES = 8
const CODE_BYTES = 32

/** Where the MCP server is; assistants ask for tokens for this address. */
export const mcpUrl = (baseUrl: string): string => `${baseUrl.replace(/\/+$/, '')}/mcp`

export interface CheckedRequest {
  client: AssistantClientRow
  scopes: AssistantScope[]
}

/**
 * Checks what an assistant asks for, before a person sees it. Nothing goes back to an address that is not known to be
 * its own.
 * @throws AppError that says what is wrong
 */
export async function checkRequest(
  store: Store,
  request: AssistantRequest,
  { baseUrl, nowMs }: { baseUrl: string; nowMs: number },
): Promise<CheckedRequest> {
  const client = await assistantClientStore(store.reads).find(request.client_id, nowMs)
  if (!client) throw new AppError('INK_NOT_FOUND', 'no such assistant; let it register again')
  const registered: string[] = JSON.parse(client.redirect_uris)
  const refuse = (text: string) => new AppError('INK_INVALID_FIELD', text)
  if (!isRegisteredRedirect(request.redirect_uri, registered))
    throw refuse('redirect_uri: not one that the assistant registered')
  if (request.response_type !== 'code') throw refuse('response_type: code')
  if (request.code_challenge_method !== 'S256') throw refuse('code_challenge_method: S256')
  if (!/^[\w-]{43}$/.test(request.code_challenge)) throw refuse('code_challenge: 43 characters of base64url')
  if (request.resource !== undefined && !isThisServer(request.resource, baseUrl))
    throw refuse('resource: the URL of this MCP server')
  const asked = request.scope?.split(' ').filter((scope) => scope !== '') ?? ASSISTANT_SCOPES
  const scopes = ASSISTANT_SCOPES.filter((scope) => asked.includes(scope))
  if (scopes.length === 0) throw refuse(`scope: ${ASSISTANT_SCOPES.join(' or ')}`)
  return { client, scopes }
}

/** Whether a token is asked for this server (RFC 8707). Its base URL stands for it, as some assistants name that. */
export const isThisServer = (resource: string, baseUrl: string): boolean =>
  [mcpUrl(baseUrl), baseUrl].some((own) => withoutSlash(own) === withoutSlash(resource))

const withoutSlash = (url: string): string => url.replace(/\/+$/, '')

interface Allowed {
  user: SessionUser & { sessionId: number }
  domain: { id: number; name: string }
  scopes: readonly AssistantScope[]
}

/**
 * Stores what a user allows.
 * @returns the authorization code
 * @throws AppError `INK_INVALID_TOKEN` if the session of the user has ended, as what ends it disconnects assistants
 */
export async function allowAssistant(
  store: Store,
  { client, request }: { client: Pick<AssistantClientRow, 'id' | 'name'>; request: AssistantRequest },
  { user, domain, scopes }: Allowed,
  nowMs: number,
): Promise<string> {
  const code = randomBytes(CODE_BYTES).toString('base64url')
  const id = randomBytes(ID_BYTES).toString('hex')
  await store.writes.transaction().execute(async (transaction) => {
    if (!(await sessionStore(transaction).user(user.sessionId, user.id, nowMs)))
      throw new AppError('INK_INVALID_TOKEN')
    await assistantGrantStore(transaction).removeExpired(nowMs)
    await assistantClientStore(transaction).keepUntil(client.id, nowMs + USED_CLIENT_MS)
    await assistantGrantStore(transaction).add({
      domain_id: domain.id,
      id,
      user_id: user.id,
      client_id: client.id,
      client_name: client.name,
      scopes: scopes.join(' '),
      created_at: nowMs,
      used_at: null,
      expires_at: nowMs + CODE_MS,
      code_hash: hashKey(code),
      code_expires_at: nowMs + CODE_MS,
      code_challenge: request.code_challenge,
      redirect_uri: request.redirect_uri,
      access_hash: null,
      access_expires_at: 0,
      family_hash: null,
      refresh_hash: null,
    })
    const detail = { assistant: id, name: client.name, scopes: scopes.join(' ') }
    await auditStore(transaction).add(
      { actor: user.email, action: 'assistant.connect', target: domain.name, detail },
      nowMs,
    )
  })
  return code
}

/** The address that the browser goes to with the answer; `iss` tells assistants who answers (RFC 9207). */
export function redirectWith(
  { redirect_uri, state }: AssistantRequest,
  answer: { code: string } | { error: string },
  issuer: string,
): string {
  const url = new URL(redirect_uri)
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value)
  if (state !== undefined) url.searchParams.set('state', state)
  url.searchParams.set('iss', issuer)
  return url.href
}
