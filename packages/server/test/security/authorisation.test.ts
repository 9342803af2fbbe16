import { ACCOUNT_OPERATIONS, type AccountOperation } from '@inkling/contract/account'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addEndpoint } from '../../src/deliver/webhook-endpoints.ts'
import { type RawRequest, rawRequest } from '../contract/raw-request.ts'
import { postSnapshot } from '../running-server.ts'
import { appRoutes } from './app-routes.ts'
import { CREDENTIAL_TABLE, type Credential, SOME_ID } from './credential-table.ts'
import { domainIdOf, type GuardedServer, OURS, startGuardedServer } from './guarded-server.ts'

/** Requests every route of every surface with every credential. */

const OPERATIONS = Object.values(ACCOUNT_OPERATIONS as Record<string, AccountOperation>)

let server: GuardedServer
let signingSecret: string
beforeAll(async () => {
  server = await startGuardedServer()
  const added = await addEndpoint(
    server.store,
    server.box,
    await domainIdOf(server, OURS),
    'https://hook.example/',
    Date.now(),
  )
  signingSecret = added.secret
  // A running server learns of a named key within a second.
  await vi.waitFor(async () =>
    expect(
      (
        await rawRequest(server, {
          path: '/api/v1/lists',
          headers: { authorization: `Bearer ${server.namedKey}` },
        })
      ).status,
    ).toBe(200),
  )
  await postSnapshot(server, SOME_ID, JSON.stringify({ user_hid: 'ada' }))
})
afterAll(() => server?.close())

/** Every kind of credential, valid or not, by name. */
const credentials = (): Record<string, string> => ({
  nothing: '',
  'a wrong key': 'ffffffffffffffffffffffffffffffff',
  'a name of Object': '__proto__',
  'the public key': server.keys.public_key,
  'the secret key': server.keys.secret_key,
  'the api key': server.keys.api_key,
  'a named key': server.namedKey,
  'the public key of another domain': server.other.public_key,
  'the secret key of another domain': server.other.secret_key,
  'the api key of another domain': server.other.api_key,
  'the public key of a disabled domain': server.closed.public_key,
  'the secret key of a disabled domain': server.closed.secret_key,
  'the api key of a disabled domain': server.closed.api_key,
  'a signing secret': signingSecret,
  'an owner’s token': server.tokens.owner,
  'an analyst’s token': server.tokens.analyst,
  'a token of an owner of another domain': server.tokens.neighbour,
  'an expired token': server.tokens.expired,
  'a token of a login that has ended': server.tokens.ended,
  'a forged token': server.tokens.forged,
})

/** The valid credential for our domain; one for each place in the request. */
const OPENS: Record<Exclude<Credential, 'nothing'>, readonly string[]> = {
  'public key': ['the public key'],
  'secret key': ['the secret key'],
  'api key': ['the api key'],
  'named key': ['a named key'],
  'public and secret key': ['the secret key', 'the public key'],
  // None of those here: assistants have tokens of their own.
  'assistant token': [],
}

const REFUSED = [401, 403]

/** All rows of the tables that a request could change. */
async function everything(): Promise<Record<string, unknown>> {
  const tables = [
    'domains',
    'endpoints',
    'users',
    'domain_members',
    'invitations',
    'audit',
    'domain_rules',
    'identifications',
  ] as const
  const rows = await Promise.all(
    tables.map(async (table) => {
      const { ref } = server.store.reads.dynamic
      // PostgreSQL may give changed rows in another order.
      const order = { domain_rules: 'version', domain_members: 'user_id' }[table as string] ?? 'id'
      return [
        table,
        await server.store.reads.selectFrom(table).selectAll().orderBy(ref(order)).execute(),
      ] as const
    }),
  )
  // A send to the endpoint fails at some time, whoever asks.
  const clearSends = (key: string, value: unknown) => (/^fail(ed_sends|ing_since)$/.test(key) ? null : value)
  return JSON.parse(JSON.stringify(Object.fromEntries(rows), clearSends))
}

test('the two tables have each route of the application exactly once', async () => {
  const account = OPERATIONS.map(({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`)
  expect(await appRoutes()).toEqual([...account, ...Object.keys(CREDENTIAL_TABLE)].sort())
})

test('public routes ignore credentials', async () => {
  for (const [route, { credential, ask }] of Object.entries(CREDENTIAL_TABLE)) {
    if (credential !== 'nothing') continue
    const statuses = new Set<number>()
    for (const token of Object.values(credentials()))
      for (const request of ask(token, server)) statuses.add((await rawRequest(server, request)).status)
    expect(statuses.size, route).toBe(1)
    expect(REFUSED, route).not.toContain([...statuses][0])
  }
})

test('a credential works only on the routes of its kind and for its domain', async () => {
  for (const [route, { credential, ask }] of Object.entries(CREDENTIAL_TABLE)) {
    if (credential === 'nothing') continue
    for (const [holder, token] of Object.entries(credentials()))
      for (const [place, request] of ask(token, server).entries()) {
        const label = `${route} with ${holder} in place ${place}`
        const opens = OPENS[credential][place] === holder
        const answer = await rawRequest(server, request)
        if (opens) expect(REFUSED, label).not.toContain(answer.status)
        else await expectRefusal(answer.status, answer.text, { label, route, holder, credential })
      }
  }
})

interface Tried {
  label: string
  route: string
  holder: string
  credential: Credential
}

/** The keys whose domain is found by the key alone, so that one without the scope is refused as such. */
const API_KEYS = ['the api key', 'a named key', 'the api key of another domain']

async function expectRefusal(
  status: number,
  text: string,
  { label, route, holder, credential }: Tried,
): Promise<void> {
  const lacksScope =
    API_KEYS.includes(holder) && credential === (holder === 'a named key' ? 'api key' : 'named key')
  if (lacksScope) expect(status, label).toBe(403)
  // Another domain's key is valid for that domain, which has none of our data.
  else if (holder === 'the api key of another domain' && route.includes('/api/v1/'))
    expect([200, 404]).toContain(status)
  // An empty credential in a path leaves no route.
  else if (holder === 'nothing') expect([401, 404], label).toContain(status)
  else expect(status, label).toBe(401)
  expect(text, label).not.toContain(SOME_ID)
}

test('only the right credential can change anything', async () => {
  const before = await everything()
  for (const { credential, ask } of Object.values(CREDENTIAL_TABLE))
    for (const [holder, token] of Object.entries(credentials()))
      for (const [place, request] of ask(token, server).entries())
        if (credential !== 'nothing' && OPENS[credential][place] !== holder) await rawRequest(server, request)
  for (const operation of OPERATIONS)
    for (const [holder, token] of Object.entries(credentials()))
      if (holder !== 'an owner’s token' && !(OTHER_USERS.includes(holder) && isTheirOwn(operation)))
        await rawRequest(server, accountRequest(operation, token, OURS))
  expect(await everything()).toEqual(before)
})

const OTHER_USERS = ['an analyst’s token', 'a token of an owner of another domain']

/** Of the user’s own account, or an export, which the audit log notes. */
const isTheirOwn = ({ path, answer }: AccountOperation): boolean =>
  path.startsWith('/account/me/') || answer === 'file'

test('the account API requires a session, and the role that the table says', async () => {
  for (const operation of OPERATIONS)
    for (const [holder, token] of Object.entries(credentials())) {
      // On an unknown domain, so that a request of the owner has no effect.
      const { status } = await rawRequest(server, accountRequest(operation, token, 'nobody.example'))
      const label = `${operation.method} ${operation.path} with ${holder}`
      const expected = expectedStatus(operation, holder)
      if (expected === undefined) expect(REFUSED, label).not.toContain(status)
      else expect(status, label).toBe(expected)
    }
})

/** Undefined if the request is authorised. */
const OPEN_TO_ANALYSTS = ['user', 'domain:read', 'visits:read', 'visits:export', 'cases:write', 'health:read']

function expectedStatus({ access, body, path }: AccountOperation, holder: string): number | undefined {
  if (access === 'anyone') return body?.safeParse({}).success === false ? 400 : undefined
  if (access === 'cookie') return 401
  if (holder === 'an owner’s token') return undefined
  if (holder === 'an analyst’s token') return OPEN_TO_ANALYSTS.includes(access) ? undefined : 403
  if (holder === 'a token of an owner of another domain') {
    if (path.includes('{domain}')) return 404
    return access === 'owner' ? 403 : undefined
  }
  return 401
}

function accountRequest({ method, path }: AccountOperation, token: string, domain: string): RawRequest {
  const there = path
    .replaceAll('{domain}', domain)
    .replaceAll('{kind}', 'api')
    .replace('{request_id}', SOME_ID)
    .replace('{user_id}', '999')
    .replace(/\{\w+_id\}/, '1')
  const withBody = method !== 'GET' && { body: '{}' }
  const headers = {
    authorization: `Bearer ${token}`,
    ...(withBody && { 'content-type': 'application/json' }),
  }
  return { method, path: there, headers, ...withBody }
}
