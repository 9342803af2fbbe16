import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentRule, Assessment, AssessRequest, Explanation } from '@inkling/contract'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { agentPolicyStore } from '../../src/store/domains/agent-policies.ts'
import { domainStore } from '../../src/store/domains/domains.ts'
import { AUTOMATED, ordinaryBody } from '../contract/bodies.ts'
import { type DirectoryServer, startDirectoryServer } from '../key-directory-server.ts'
import { postSnapshot, startTestServer, type TestServer } from '../running-server.ts'
import { agentKey, signedHeaders, type ToSign } from '../signed-agent.ts'
import { makeDirectory } from '../temporary-store.ts'

/* A whole server and an operator whose keys are on another one, which the catalogue allows although it is on loopback. */

const key = agentKey()
const stranger = agentKey()
const SITE = 'shop.example'
let operator: DirectoryServer
let elsewhere: DirectoryServer
let server: TestServer & { close(): Promise<void> }
/** How far the server's clock is ahead. */
let aheadMs = 0
let folder: Awaited<ReturnType<typeof makeDirectory>>

beforeAll(async () => {
  const publish = (_: unknown, response: { end(text: string): void }) =>
    response.end(JSON.stringify({ keys: [key.jwk] }))
  operator = await startDirectoryServer(publish)
  elsewhere = await startDirectoryServer(publish)
  folder = await makeDirectory()
  const file = join(folder.path, 'agents.json')
  const agents = [
    {
      id: 'brew_buyer',
      name: 'Brew Buyer',
      operator: 'Brewline',
      category: 'shopping',
      user_agents: ['BrewBuyer'],
      directories: [operator.origin],
    },
  ]
  await writeFile(file, JSON.stringify(agents))
  server = await startTestServer({
    otherDomains: ['other.example'],
    settings: { AGENTS: file, TRUST_PROXY: '127.0.0.1' },
    now: () => Date.now() + aheadMs,
  })
})
afterAll(async () => {
  await server.close()
  await Promise.all([operator.close(), elsewhere.close(), folder.remove()])
})

const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

interface Asked extends Partial<AssessRequest> {
  /** In place of the site's own `Host`. */
  host?: AssessRequest['headers']
  signed?: Partial<ToSign>
  userAgent?: string
  apiKey?: string
}

async function ask({
  signed,
  userAgent = BROWSER,
  host = [['Host', SITE]],
  apiKey = server.keys.api_key,
  ...given
}: Asked = {}): Promise<Assessment> {
  const headers = signed
    ? signedHeaders({ key, authority: SITE, agent: `"${operator.origin}"`, path: '/cart', ...signed })
    : {}
  const response = await fetch(`${server.url}/api/v1/assess`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      method: 'GET',
      url: `https://${SITE}/cart`,
      address: '91.10.0.7',
      http_version: '1.1',
      headers: [...host, ['User-Agent', userAgent], ...Object.entries(headers)],
      ...given,
    }),
  })
  expect(response.status).toBe(200)
  return (await response.json()) as Assessment
}

/** The answer once the operator's keys are there. */
const known = (asked: Asked) => expect.poll(async () => (await ask(asked)).agent, { timeout: 20_000 })

async function explain(requestId: string): Promise<Explanation> {
  const response = await fetch(`${server.url}/api/v1/explanation/${requestId}`, {
    headers: { authorization: `Bearer ${server.keys.api_key}` },
  })
  return (await response.json()) as Explanation
}

async function useRules(rules: AgentRule[]): Promise<void> {
  const row = await domainStore(server.store.reads).find(SITE)
  await server.store.writes
    .transaction()
    .execute((transaction) =>
      agentPolicyStore(transaction).save(row?.id ?? 0, { rules, actor: 'test', note: '' }, Date.now()),
    )
}

test('a signed agent is unknown at first, and verified once its keys are there: in an assessment, and in a visit that is refined', async () => {
  const requestId = randomUUID()
  const headers = signedHeaders({
    key,
    // Its public host: the address at which the test reaches it is none of the domain's.
    authority: `localhost:${server.port}`,
    agent: `"${operator.origin}"`,
    method: 'POST',
    path: `/snapshot/${requestId}`,
  })
  await postSnapshot(server, requestId, '{}', headers)
  await expect
    .poll(async () => (await explain(requestId)).agent, { timeout: 20_000 })
    .toMatchObject({
      identity: 'verified',
      id: 'brew_buyer',
      operator: 'Brewline',
      proof: 'signature',
      signature: { state: 'valid', components: ['@authority', '@method', '@path', 'signature-agent'] },
    })
  await known({ signed: {} }).toMatchObject({ identity: 'verified', category: 'shopping' })
  expect(operator.asked).toHaveLength(1)
})

test('what a verified agent causes by itself does not count, and without a signature its name alone proves nothing', async () => {
  await known({ signed: {} }).toMatchObject({ identity: 'verified' })
  const userAgent = 'BrewBuyer/2.1'
  const claimed = await ask({ userAgent })
  expect(claimed.agent).toMatchObject({
    identity: 'unknown',
    claims: [{ by: 'user_agent', value: 'Brew Buyer' }],
  })
  expect(claimed.score).toBe(30)
  const proven = await ask({ userAgent, signed: {} })
  expect(proven.score).toBe(0)
  expect(proven.entries).toMatchObject([
    { name: 'os_not_detected', value: 0, suppressed_by: 'declared_agent' },
  ])
})

test.each<[string, Asked]>([
  ['made by a stranger', { signed: { key: stranger, keyId: key.thumbprint } }],
  ['for another site', { signed: { authority: 'other.example' } }],
  [
    'for another site whose name is the Host',
    {
      signed: { authority: 'evil.example' },
      host: [['Host', 'evil.example']],
    },
  ],
  ['for another path', { signed: { path: '/other' } }],
  ['that has expired', { signed: { created: 1_700_000_000 } }],
])('a signature %s verifies nobody', async (_name, asked) => {
  await known({ signed: {} }).toMatchObject({ identity: 'verified' })
  expect((await ask(asked)).agent).toMatchObject({ identity: 'unknown', signature: { state: 'refused' } })
})

test('a captured signature is worth nothing from another address or for another page', async () => {
  const signed = { nonce: 'captured', created: Math.floor(Date.now() / 1_000) }
  await known({ signed }).toMatchObject({ identity: 'verified' })
  expect((await ask({ signed, address: '91.10.0.8' })).agent).toMatchObject({
    identity: 'unknown',
    signature: { state: 'refused', reason: 'replayed' },
  })
  expect((await ask({ signed, url: `https://${SITE}/cart?page=2` })).agent).toMatchObject({
    identity: 'unknown',
    signature: { state: 'refused', reason: 'replayed' },
  })
})

test('no header makes the server connect to a private address', async () => {
  const origins = [
    elsewhere.origin,
    elsewhere.origin.replace('http:', 'https:'),
    'https://127.0.0.1',
    'https://localhost',
    'https://[::1]',
    'https://10.0.0.1',
    'https://169.254.169.254',
    'https://[::ffff:127.0.0.1]',
  ]
  for (const origin of origins) {
    const agent = `"${origin}"`
    const state = async () => (await ask({ signed: { agent } })).agent?.signature
    await expect.poll(async () => (await state())?.state, { timeout: 20_000 }).toBe('refused')
    expect((await state())?.reason).toMatch(/^(?:directory_unavailable|unsupported_signature_agent)$/)
  }
  expect(elsewhere.connections()).toBe(0)
})

test('rules of the domain decide by agent, path and purpose, the first that applies, and limit each agent', async () => {
  await known({ signed: {} }).toMatchObject({ identity: 'verified' })
  expect(await ask({ signed: {} })).toMatchObject({ action: null, rule: null })
  await useRules([
    { action: 'challenge', purpose: 'pay' },
    { action: 'deny', operator: 'brewline', path: '/admin*' },
    { action: 'limit', per_minute: 2, identity: ['verified'], category: ['shopping'] },
    { action: 'deny', identity: ['unknown'] },
  ])
  await expect.poll(async () => (await ask({ userAgent: 'BrewBuyer/2.1' })).rule).toBe(4)
  expect(await ask({ signed: { tag: 'agent-payer-auth' } })).toMatchObject({ action: 'challenge', rule: 1 })
  expect(await ask({ signed: { path: '/admin/x' }, url: `https://${SITE}/admin/x` })).toMatchObject({
    action: 'deny',
    rule: 2,
  })
  const actions: (string | null)[] = []
  for (let count = 0; count < 3; count += 1) actions.push((await ask({ signed: {} })).action)
  expect(actions).toEqual(['allow', 'allow', 'limit'])
  expect(await ask()).toMatchObject({ agent: null, action: null })
})

test('an assessment compares the request with the page that sent it, and with the client it claims to be', async () => {
  const requestId = randomUUID()
  await postSnapshot(server, requestId, '{}', { 'user-agent': BROWSER })
  const asked = { request_id: requestId, address: '127.0.0.1' }
  expect((await ask(asked)).page).toMatchObject({
    request_id: requestId,
    same_address: true,
    same_user_agent: true,
  })
  expect((await ask({ ...asked, userAgent: `${BROWSER} Edg/142.0` })).page).toMatchObject({
    same_user_agent: false,
  })
  expect((await ask({ request_id: randomUUID() })).page).toBeNull()

  const firefoxOrder: AssessRequest['headers'] = [
    ['Host', SITE],
    ['User-Agent', BROWSER],
    ['Accept', 'text/html'],
    ['Accept-Language', 'de'],
    ['Accept-Encoding', 'gzip'],
    ['Sec-Fetch-Dest', 'document'],
    ['Sec-Fetch-Mode', 'navigate'],
    ['Sec-Fetch-Site', 'none'],
  ]
  const forged = await ask({ headers: firefoxOrder })
  expect(forged.client.contradictions.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['fetch_order']),
  )
})

test('an assessment needs the Private API Key and a request that can be read', async () => {
  const post = (body: unknown, apiKey = server.keys.api_key) =>
    fetch(`${server.url}/api/v1/assess`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const good = { method: 'GET', url: `https://${SITE}/`, address: '91.10.0.7', headers: [] }
  expect((await post(good, 'sec_wrong')).status).toBe(401)
  expect((await post({ ...good, address: 'here' })).status).toBe(400)
  expect((await post({ ...good, headers: [['X', 'a\nb']] })).status).toBe(400)
  expect((await post(good)).status).toBe(200)
})

/** Chromium's, as its own connection shows it. */
const TLS = { ja4: 't13d1516h2_8daaf6152771_d8a2da3f94cd' }

/** What the identification says of a page that joins by a key. */
async function joined(
  key: string,
  { address = '91.10.0.7', userAgent = BROWSER, body = {} as object } = {},
): Promise<Explanation> {
  const requestId = randomUUID()
  const headers = { 'user-agent': userAgent, 'x-forwarded-for': address }
  const sent = await postSnapshot(server, requestId, ordinaryBody({ join: key, ...body }, AUTOMATED), headers)
  expect(sent.status).toBe(200)
  return explain(requestId)
}

test('what the edge saw of the request for a page is part of the page’s identification: who signed it, the rule, and the TLS that a proxy hides', async () => {
  await known({ signed: {} }).toMatchObject({ identity: 'verified' })
  await useRules([{ action: 'challenge', agent: 'brew_buyer' }])
  await expect.poll(async () => (await ask({ signed: {} })).rule).toBe(1)
  const { assessment_id, join_key } = await ask({ signed: {}, tls: TLS })
  const explained = await joined(join_key)
  expect(explained.edge).toMatchObject({
    state: 'joined',
    assessment_id,
    same_address: true,
    action: 'challenge',
    rule: 1,
    agent: { identity: 'verified', id: 'brew_buyer' },
    network: { headers: { available: true, source: 'edge' } },
  })
  expect(explained.agent).toMatchObject({ identity: 'verified', proof: 'signature' })
  expect(explained.network?.tls).toEqual({
    available: true,
    source: 'edge',
    value: { ...TLS, version: '', alpn: '' },
  })
  expect(explained.entries).toContainEqual(
    expect.objectContaining({ name: 'browser_automation', value: 0, suppressed_by: 'declared_agent' }),
  )
  const alone = await joined('')
  expect(alone.edge).toBeUndefined()
  expect(alone.network?.tls).toMatchObject({ available: false, reason: 'behind_proxy' })
  expect(alone.score).toBeGreaterThan(explained.score)
})

test('a key from another address joins, but proves nothing', async () => {
  await known({ signed: {} }).toMatchObject({ identity: 'verified' })
  const { join_key } = await ask({ signed: {}, tls: TLS })
  const explained = await joined(join_key, { address: '91.10.0.8' })
  expect(explained.edge).toMatchObject({ state: 'joined', same_address: false })
  expect(explained.agent).toBeUndefined()
  expect(explained.network?.tls).toMatchObject({ available: false })
})

test('no assessment of another domain, of another client or of a visitor’s own making joins, nor one that somebody else or an old page brings', async () => {
  const why = async (...page: Parameters<typeof joined>) => {
    const { edge, agent } = await joined(...page)
    expect(agent).toBeUndefined()
    return edge
  }
  const keyOf = async (asked: Asked = {}) => (await ask({ signed: {}, ...asked })).join_key
  const of = (reason: string) => ({ state: 'refused', reason })
  await known({ signed: {} }).toMatchObject({ identity: 'verified' })

  expect(await why('made up')).toEqual(of('unreadable'))
  const key = await keyOf()
  expect(await why(`${key.slice(0, 80)}${key[80] === 'A' ? 'B' : 'A'}${key.slice(81)}`)).toEqual(
    of('unreadable'),
  )
  expect(await why(await keyOf({ apiKey: server.others[0]?.api_key ?? '' }))).toEqual(of('foreign'))
  expect(await why(key, { userAgent: `${BROWSER} Edg/142.0` })).toEqual(of('other_client'))

  const cookie = { cookie_id: randomUUID() }
  for (let check = 0; check < 2; check += 1)
    expect((await joined(key, { body: cookie })).edge).toMatchObject({ state: 'joined' })
  expect(await why(key)).toEqual(of('replayed'))

  const late = await keyOf()
  aheadMs = 11 * 60_000
  onTestFinished(() => {
    aheadMs = 0
  })
  expect(await why(late)).toEqual(of('expired'))
})
