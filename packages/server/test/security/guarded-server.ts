import { API_KEY_SCOPE_NAMES, PRIVATE_KEY_SCOPES } from '@inkling/contract'
import { createAccessTokens } from '../../src/auth/access-token.ts'
import { addApiKey } from '../../src/auth/api-keys.ts'
import { giveRole } from '../../src/auth/domain-roles.ts'
import type { DomainKeys } from '../../src/auth/register-domain.ts'
import { openServerSecrets } from '../../src/auth/server-secrets.ts'
import { endSession, startSession } from '../../src/auth/sessions.ts'
import { addUser } from '../../src/auth/users.ts'
import { domainStore } from '../../src/store/domains/domains.ts'
import { userStore } from '../../src/store/users/users.ts'
import { ANALYST, OWNER, PASSWORD, startDashboardServer } from '../dashboard/dashboard-server.ts'
import type { TestServer, TestServerOptions } from '../running-server.ts'

export const OURS = 'shop.example'
export const OTHER = 'other.example'
export const CLOSED = 'closed.example'
const NEIGHBOUR = 'owner@other.example'

const HOUR_MS = 3_600_000

/** Access tokens: two valid ones, and invalid ones. */
export interface Tokens {
  owner: string
  analyst: string
  /** Of the owner of the other domain, who is a member of the installation. */
  neighbour: string
  expired: string
  /** Of a session that has ended. */
  ended: string
  /** Well-formed, but signed by another installation. */
  forged: string
}

export interface GuardedServer extends TestServer {
  other: DomainKeys
  /** Keys of a disabled domain. */
  closed: DomainKeys
  /** Of the first domain, with every scope that its own key lacks. */
  namedKey: string
  tokens: Tokens
  /** Sends a request to the account API and parses the response. */
  account(method: string, path: string, options?: AccountOptions): Promise<AccountAnswer>
  close(): Promise<void>
}

interface AccountOptions {
  token?: string
  body?: unknown
}

export interface AccountAnswer {
  status: number
  text: string
  /** Undefined if the response is not JSON. */
  json: unknown
}

/** A server with two domains, a disabled third one, an owner and an analyst. */
export async function startGuardedServer(options: TestServerOptions = {}): Promise<GuardedServer> {
  const server = await startDashboardServer({ otherDomains: [OTHER, CLOSED], ...options })
  const [other, closed] = server.others
  if (!other || !closed) throw new Error('the domains were not registered')
  await addNeighbour(server)
  const tokens = await makeTokens(server, options.now ?? Date.now)
  const account: GuardedServer['account'] = async (method, path, { token = tokens.owner, body } = {}) => {
    const answer = await fetch(`${server.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, text, json: parsed(text) }
  }
  await account('PATCH', `/account/domains/${CLOSED}`, { body: { enabled: false } })
  return { ...server, other, closed, namedKey: await addNamedKey(server), tokens, account }
}

async function addNeighbour({ store }: TestServer): Promise<void> {
  const by = { actor: 'test', nowMs: Date.now() }
  await addUser(store, { email: NEIGHBOUR, password: PASSWORD, role: 'member' }, by)
  const domain = { id: await domainIdOf({ store }, OTHER), name: OTHER }
  await store.writes
    .transaction()
    .execute((transaction) => giveRole(transaction, domain, { email: NEIGHBOUR, role: 'owner' }, by))
}

async function addNamedKey({ store }: TestServer): Promise<string> {
  const scopes = API_KEY_SCOPE_NAMES.filter((scope) => !PRIVATE_KEY_SCOPES.includes(scope))
  const by = { actor: 'test', nowMs: Date.now() }
  const id = await domainIdOf({ store }, OURS)
  const { key } = await store.writes
    .transaction()
    .execute((transaction) => addApiKey(transaction, id, { name: 'Reads', scopes, expiresAtMs: null }, by))
  return key
}

async function makeTokens({ store }: TestServer, now: () => number): Promise<Tokens> {
  const secret = (await openServerSecrets(store.secrets)).secret_box_key
  const logIn = async (email: string) => {
    const user = await userStore(store.reads).findByEmail(email)
    if (!user) throw new Error(`no user ${email}`)
    return { user, session: await startSession(store, user, now()) }
  }
  const issue = async (email: string, key: Uint8Array = secret, clock = now) => {
    const { user, session } = await logIn(email)
    return createAccessTokens(key, clock).issue({ userId: user.id, sessionId: session.sessionId })
  }
  const leaving = await logIn(OWNER)
  const ended = await createAccessTokens(secret, now).issue({
    userId: leaving.user.id,
    sessionId: leaving.session.sessionId,
  })
  await endSession(store, leaving.session.refreshToken.text, now())
  return {
    owner: await issue(OWNER),
    analyst: await issue(ANALYST),
    neighbour: await issue(NEIGHBOUR),
    expired: await issue(OWNER, secret, () => now() - HOUR_MS),
    ended,
    forged: await issue(OWNER, Buffer.alloc(32, 9)),
  }
}

/** The number of a registered domain. */
export async function domainIdOf({ store }: Pick<TestServer, 'store'>, name: string): Promise<number> {
  const row = await domainStore(store.reads).find(name)
  if (!row) throw new Error(`no domain ${name}`)
  return row.id
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
