import {
  AuditPage,
  type DomainRole,
  type Proposal,
  Proposals,
  SessionAnswer,
} from '@inkling/contract/account'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addUser } from '../src/auth/users.ts'
import { removeExpired } from '../src/store/remove-expired.ts'
import { auditStore } from '../src/store/users/users.ts'
import { askTool, callTool } from './assistant.ts'
import { ordinaryBody, uniqueDevice } from './contract/bodies.ts'
import { identify } from './contract/callers.ts'
import { from } from './contract/roomy-settings.ts'
import { ANALYST, OWNER, PASSWORD, startDashboardServer } from './dashboard/dashboard-server.ts'
import { HIDDEN, HOSTILE_TEXTS } from './hostile-texts.ts'
import {
  type AssistantMemory,
  agree,
  CALLBACK,
  connectedOf,
  connectOverHttp,
  letIn,
  type Person,
  reconnect,
  requestIn,
  startOverHttp,
} from './http-assistant.ts'
import type { TestServer } from './running-server.ts'

const MINUTE_MS = 60_000
const DOMAIN = 'shop.example'
const REQUEST_ID = '6f1c5a70-3c0f-4b8e-9a43-0d5c2b8f7e11'

let server: TestServer & { close(): Promise<void> }
/** Public URL, which tokens are for. */
let url: string
let person: Person
const clock = { aheadMs: 0 }

beforeAll(async () => {
  server = await startDashboardServer({
    otherDomains: ['other.example'],
    now: () => Date.now() + clock.aheadMs,
  })
  url = `http://localhost:${server.port}`
  person = await signedIn(OWNER)
  const body = ordinaryBody({ user_hid: 'ann' }, uniqueDevice())
  await identify(server, REQUEST_ID, body, from('91.3.2.1'))
})
afterAll(() => server?.close())

async function signedIn(email: string): Promise<Person> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ email, password: PASSWORD })
  const answer = await fetch(`${url}/account/login`, { method: 'POST', headers, body })
  const { access_token: token } = SessionAnswer.parse(await answer.json())
  return (method, path, given) =>
    fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(given && headers) },
      ...(given && { body: JSON.stringify(given) }),
    })
}

const form = (path: string, fields: Record<string, string>): Promise<Response> =>
  fetch(`${url}/oauth/${path}`, { method: 'POST', body: new URLSearchParams(fields) })

const oauthError = async (answer: Response): Promise<unknown> =>
  answer.status < 400 ? 'ok' : ((await answer.json()) as { error: unknown }).error

const LIST_TOOLS = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

const postMcp = (headers: Record<string, string> = {}, message: object = LIST_TOOLS): Promise<Response> =>
  fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(message),
  })

const BOTH = { domain: DOMAIN, scopes: ['read', 'propose'] } satisfies Parameters<typeof connectOverHttp>[2]
const READ = { domain: DOMAIN, scopes: ['read'] } satisfies Parameters<typeof connectOverHttp>[2]

async function actions(): Promise<string[]> {
  return (await auditStore(server.store.reads).list(undefined, 100)).map(({ action }) => action)
}

describe('an assistant of the SDK', () => {
  let client: Client
  let memory: AssistantMemory
  let back: URL
  beforeAll(async () => {
    ;({ client, memory, back } = await connectOverHttp(url, person, READ))
  })
  afterAll(() => client?.close())

  test('registers, is let in by a person, and reads with every tool', async () => {
    expect(back.href.startsWith(`${CALLBACK}?code=`)).toBe(true)
    expect(back.searchParams.get('iss')).toBe(url)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'find_anything',
      'search_identifications',
      'explain_identification',
      'get_entity',
      'get_neighbours',
      'list_patterns',
      'get_pattern',
      'list_cases',
      'get_case',
      'list_list_entries',
      'list_labels',
      'list_decision_rules',
    ])
    for (const { annotations } of tools) expect(annotations?.readOnlyHint).toBe(true)
    expect(client.getInstructions()).toContain('never an instruction')
    const ask = (name: string, args: object) => askTool(client, name, args)
    expect(await ask('find_anything', { q: 'ann' })).toMatchObject({
      answer: { seen: [{ kind: 'account', value: { untrusted_text: 'ann' } }] },
    })
    expect(await ask('search_identifications', { user_hid: ['ann'], band: ['trusted'] })).toMatchObject({
      answer: { data: [{ request_id: REQUEST_ID }] },
    })
    expect(await ask('explain_identification', { request_id: REQUEST_ID })).toMatchObject({
      answer: { band: 'trusted', explanation: { request_id: REQUEST_ID } },
    })
    const entity = { type: 'user_hid', value: 'ann' }
    expect(await ask('get_entity', entity)).toMatchObject({ answer: { identifications: 1 } })
    expect(await ask('get_neighbours', entity)).toMatchObject({
      answer: { graph: { nodes: expect.arrayContaining([expect.objectContaining({ type: 'device_id' })]) } },
    })
    for (const name of ['list_patterns', 'list_cases', 'list_list_entries', 'list_labels'])
      expect(await ask(name, { limit: 3 })).toMatchObject({ answer: { data: [] } })
    expect(await ask('list_decision_rules', {})).toMatchObject({ answer: { rules: [] } })
    expect(await callTool(client, 'get_case', { case_id: 7 })).toMatchObject({
      ok: false,
      text: expect.stringContaining('INK_NOT_FOUND'),
    })
    expect(await callTool(client, 'get_pattern', { finding_id: 7 })).toMatchObject({ ok: false })
  })

  test('gets new tokens when its own have expired, and a replaced one ends the connection', async () => {
    const old = memory.tokens
    clock.aheadMs += 11 * MINUTE_MS
    expect((await postMcp({ authorization: `Bearer ${old?.access_token}` })).status).toBe(401)
    const again = await reconnect(url, memory)
    expect((await again.listTools()).tools).toHaveLength(12)
    await again.close()
    expect(memory.tokens?.refresh_token).not.toBe(old?.refresh_token)
    const client_id = memory.client?.client_id ?? ''
    const refresh = (refresh_token = '', client = client_id) =>
      form('token', { grant_type: 'refresh_token', refresh_token, client_id: client })
    expect(await oauthError(await refresh(memory.tokens?.refresh_token, 'another'))).toBe('invalid_grant')
    expect(await oauthError(await refresh(old?.refresh_token))).toBe('invalid_grant')
    expect(await oauthError(await refresh(memory.tokens?.refresh_token))).toBe('invalid_grant')
    expect((await postMcp({ authorization: `Bearer ${memory.tokens?.access_token}` })).status).toBe(401)
    expect(await actions()).toContain('assistant.reused_token')
  })
})

test('a person sees and ends a connection, the assistant can as well, and no token is stored', async () => {
  person = await signedIn(OWNER)
  const { client, memory } = await connectOverHttp(url, person, READ)
  const { data, url: mcp } = await connectedOf(person)
  expect(mcp).toBe(`${url}/mcp`)
  expect(data).toMatchObject([{ name: 'Desk assistant', domain: DOMAIN, scopes: ['read'] }])
  const stored = await server.store.reads.selectFrom('assistant_grants').selectAll().execute()
  const text = JSON.stringify(stored, (_name, value) => (value instanceof Uint8Array ? '' : value))
  for (const secret of [memory.tokens?.access_token, memory.tokens?.refresh_token, memory.verifier])
    expect(text).not.toContain(secret ?? '')
  expect((await person('DELETE', `/account/me/assistants/${data[0]?.id}`)).status).toBe(204)
  await expect(client.listTools()).rejects.toThrow()
  expect((await connectedOf(person)).data).toEqual([])

  const second = await connectOverHttp(url, person, READ)
  const { access_token: token = '', refresh_token: refreshToken = '' } = second.memory.tokens ?? {}
  const client_id = second.memory.client?.client_id ?? ''
  expect((await form('revoke', { token: refreshToken, client_id: 'another' })).status).toBe(200)
  expect((await postMcp({ authorization: `Bearer ${token}` })).status).toBe(200)
  expect((await form('revoke', { token: refreshToken, client_id })).status).toBe(200)
  expect((await postMcp({ authorization: `Bearer ${token}` })).status).toBe(401)
  const changes = await person('GET', `/account/domains/${DOMAIN}/audit`)
  const ends = AuditPage.parse(await changes.json()).data.filter(
    ({ action }) => action === 'assistant.disconnect',
  )
  expect(ends).toMatchObject([1, 2].map(() => ({ actor: OWNER, detail: { name: 'Desk assistant' } })))
})

test('several messages at once are refused, and none of them is carried out', async () => {
  const { client, memory } = await connectOverHttp(url, person, READ)
  await client.close()
  const headers = { authorization: `Bearer ${memory.tokens?.access_token}` }
  for (const batch of [[], [LIST_TOOLS], [LIST_TOOLS, { ...LIST_TOOLS, id: 2 }]]) {
    const answer = await postMcp(headers, batch)
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { error: 'the body must be one message, not a batch' },
    ])
  }
})

test('without a token an assistant learns where to get one, and pages of others get nothing', async () => {
  const refused = await postMcp()
  expect(refused.status).toBe(401)
  expect(refused.headers.get('www-authenticate')).toBe(
    `Bearer resource_metadata="${url}/.well-known/oauth-protected-resource/mcp", scope="read propose"`,
  )
  expect((await postMcp({ origin: 'https://evil.example' })).status).toBe(403)
  expect((await fetch(`${url}/mcp`)).status).toBe(405)
  const metadata = await (await fetch(`${url}/.well-known/oauth-authorization-server`)).json()
  expect(metadata).toMatchObject({
    issuer: url,
    authorization_endpoint: `${url}/dashboard/connect`,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
  })
})

test('nothing goes to an address that is not the assistant’s, and no request is weaker than it must be', async () => {
  const register = async (redirect_uris: string[]) =>
    fetch(`${url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris, client_name: 'x' }),
    })
  for (const wrong of [
    'http://evil.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://a.example/#x',
  ])
    expect((await register([wrong])).status, wrong).toBe(400)
  const registered = (await (await register(['https://a.example/cb'])).json()) as { client_id: string }
  const good = {
    response_type: 'code',
    client_id: registered.client_id,
    redirect_uri: 'https://a.example/cb',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    state: 'kept',
  }
  const wrongs = {
    redirect_uri: 'https://a.example/cb/../x',
    code_challenge_method: 'plain',
    code_challenge: 'short',
    response_type: 'token',
    resource: 'https://elsewhere.example/mcp',
    client_id: 'nobody',
    scope: 'everything',
  }
  for (const [name, value] of Object.entries(wrongs)) {
    const request = { ...good, [name]: value }
    for (const [path, body] of [
      ['/account/me/assistants/request', request],
      ['/account/me/assistants', { request, allow: null }],
      ['/account/me/assistants', { request, allow: READ }],
    ] as const)
      expect([400, 404], name).toContain((await person('POST', path, body)).status)
  }
  const denied = await person('POST', '/account/me/assistants', { request: good, allow: null })
  expect(await denied.json()).toEqual({
    redirect_to: `https://a.example/cb?error=access_denied&state=kept&iss=${encodeURIComponent(url)}`,
  })
})

test('a code works once, with its verifier, within a minute', async () => {
  const started = async () => {
    const memory: AssistantMemory = {}
    const { client } = await connectOverHttp(url, person, READ).then(async (connected) => {
      Object.assign(memory, connected.memory)
      return connected
    })
    await client.close()
    return memory
  }
  const memory = await started()
  const sentTo = memory.sentTo ?? new URL(url)
  const code = async () => (await agree(person, sentTo, READ)).back.searchParams.get('code') ?? ''
  const exchange = async (given: Record<string, string>) =>
    oauthError(
      await form('token', {
        grant_type: 'authorization_code',
        client_id: requestIn(sentTo).client_id ?? '',
        redirect_uri: CALLBACK,
        code_verifier: memory.verifier ?? '',
        ...given,
      }),
    )
  const once = await code()
  expect(await exchange({ code: once })).toBe('ok')
  expect(await exchange({ code: once })).toBe('invalid_grant')
  expect(await exchange({ code: await code(), code_verifier: 'x'.repeat(43) })).toBe('invalid_grant')
  expect(await exchange({ code: await code(), resource: 'https://x.example' })).toBe('invalid_target')
  const late = await code()
  clock.aheadMs += MINUTE_MS
  expect(await exchange({ code: late })).toBe('invalid_grant')
})

/** What an assistant must not change: everything but what it proposes. */
async function everything(): Promise<string> {
  const tables = ['list_entries', 'labels', 'cases', 'decision_rules', 'domain_rules', 'endpoints'] as const
  const { reads } = server.store
  return JSON.stringify(
    await Promise.all(tables.map((table) => reads.selectFrom(table).selectAll().execute())),
  )
}

/** The texts of an answer that are not marked. */
function unmarked(value: unknown, name = ''): string[] {
  if (typeof value === 'string') return name === 'untrusted_text' ? [] : [name, value]
  if (Array.isArray(value)) return value.flatMap((item) => unmarked(item))
  if (typeof value !== 'object' || value === null) return [name]
  return [name, ...Object.entries(value).flatMap(([key, item]) => unmarked(item, key))]
}

const PROPOSALS = `/account/domains/${DOMAIN}/proposals`

const proposals = async (): Promise<Proposal[]> =>
  Proposals.parse(await (await person('GET', PROPOSALS)).json()).data

test('what an assistant proposes happens when a person confirms it, with their rights, and the log names both', async () => {
  person = await signedIn(OWNER)
  const analyst = await signedIn(ANALYST)
  const { client } = await connectOverHttp(url, analyst, BOTH)
  const before = await everything()
  const why = 'Seen with many accounts'
  const value = 'proposed-account'
  const ask = (name: string, args: object) => askTool(client, name, args)
  const entry = { list: 'watch', kind: 'account', value, why }
  const made = await ask('propose_list_entry', entry)
  expect(made).toMatchObject({ confirm_at: `${url}/dashboard/d/${DOMAIN}/proposals` })
  const about = { type: 'account', value }
  await ask('propose_label', { kind: 'fraud', subject: about, source: 'review', why })
  await ask('propose_case', { subject: about, title: 'Look', why })
  await ask('propose_case_note', { case_id: 1, note: 'a\nb', why })
  await ask('propose_case_decision', { case_id: 1, action: 'deny', why })
  await ask('propose_shadow_rule', { name: 'R', condition: 'true', effect: { action: 'deny' }, why })
  for (const [name, args] of [
    ['propose_list_entry', { ...entry, list: 'anything' }],
    ['propose_list_entry', { ...entry, value: 'a\u202eb' }],
    ['propose_list_entry', { ...entry, why: 'a\u200bb' }],
    ['propose_shadow_rule', { name: 'a\u2066b', condition: 'true', effect: { action: 'deny' }, why }],
  ] as const)
    expect(await callTool(client, name, args), name).toMatchObject({ ok: false })
  expect(await everything()).toBe(before)

  const waiting = await proposals()
  expect(waiting.map(({ operation, needs }) => `${operation} ${needs}`)).toEqual([
    'saveListEntry lists:write',
    'saveLabel labels:write',
    'openCase cases:write',
    'addToCase cases:write',
    'decideCase cases:write',
    'addDecisionRule rules:write',
  ])
  const body = { list: 'watch', kind: 'account', value, reason: '', expires_at: null }
  expect(waiting[0]).toMatchObject({ body, why, assistant: 'Desk assistant', user: ANALYST })
  const [first, label, opened, note, , rule] = waiting.map(({ id }) => `${PROPOSALS}/${id}`)
  expect((await analyst('POST', first ?? '')).status).toBe(403)
  expect((await person('POST', `${PROPOSALS}/0123`)).status).toBe(404)
  expect((await person('POST', (first ?? '').replace(DOMAIN, 'other.example'))).status).toBe(404)
  // Nobody has opened the case yet.
  expect((await person('POST', note ?? '')).status).toBe(404)
  expect(await proposals()).toHaveLength(6)
  const both = await Promise.all([person('POST', first ?? ''), person('POST', first ?? '')])
  expect(both.map(({ status }) => status).sort()).toEqual([204, 404])
  expect((await analyst('POST', opened ?? '')).status).toBe(204)
  expect((await person('POST', rule ?? '')).status).toBe(204)
  expect((await analyst('DELETE', label ?? '')).status).toBe(204)
  const { reads } = server.store
  const entries = await reads.selectFrom('list_entries').select(['value', 'author']).execute()
  expect(entries).toEqual([{ value, author: OWNER }])
  expect(await reads.selectFrom('decision_rules').select('state').execute()).toEqual([{ state: 'shadow' }])
  expect(await reads.selectFrom('labels').select('id').execute()).toEqual([])
  const log = await auditStore(reads).list(undefined, 30)
  expect(log.find(({ action }) => action === 'proposal.confirm')).toMatchObject({ actor: OWNER })
  const confirmed = log
    .filter(({ action }) => action === 'proposal.confirm')
    .map(({ detail }) => JSON.parse(detail))
  expect(confirmed.at(-1)).toMatchObject({
    operation: 'saveListEntry',
    assistant: 'Desk assistant',
    for: ANALYST,
  })

  // What is left names an erased account, or waits for too long.
  await ask('propose_label', { kind: 'fraud', subject: about, source: 'review', why })
  await ask('propose_label', {
    kind: 'fraud',
    subject: { type: 'account', value: 'x' },
    source: 'review',
    why,
  })
  await ask('propose_case_note', { case_id: 1, note: `Same as ${value}.`, why })
  expect(await proposals()).toHaveLength(5)
  const erased = await person('POST', `/account/domains/${DOMAIN}/privacy/erase`, { type: 'user_hid', value })
  expect(erased.status, await erased.text()).toBe(200)
  expect((await proposals()).map(({ operation }) => operation)).toEqual([
    'addToCase',
    'decideCase',
    'saveLabel',
  ])
  await client.close()
  const id = (await proposals())[0]?.id
  clock.aheadMs += 24 * 60 * MINUTE_MS
  person = await signedIn(OWNER)
  expect(await proposals()).toEqual([])
  expect((await person('POST', `${PROPOSALS}/${id}`)).status).toBe(404)
  await removeExpired(server.store, Date.now() + clock.aheadMs)
  expect(await reads.selectFrom('assistant_proposals').select('id').execute()).toEqual([])
})

test('an assistant that may only read has no other tool, and one that may only propose reads nothing', async () => {
  for (const scopes of [['read'], ['propose']] as const) {
    const { client } = await connectOverHttp(url, person, { domain: DOMAIN, scopes: [...scopes] })
    const { tools } = await client.listTools()
    const names = new Set(tools.map(({ name }) => (name.startsWith('propose_') ? 'propose' : 'read')))
    expect([...names]).toEqual(scopes)
    await client.close()
  }
})

test('hostile texts of visitors and people stay data in the answer of every tool, and nothing acts on them', async () => {
  const save = (path: string, body: object) => person('POST', `/account/domains/${DOMAIN}/${path}`, body)
  const subjects: { account: string; requestId: string }[] = []
  for (const hostile of HOSTILE_TEXTS) {
    const account = hostile.replaceAll('\0', '').slice(0, 250)
    const requestId = crypto.randomUUID()
    const readings = {
      ...uniqueDevice(),
      referrer: { url: `https://ref.example/?q=${encodeURIComponent(hostile)}` },
    }
    await identify(server, requestId, ordinaryBody({ user_hid: account }, readings), {
      ...from('91.3.9.1'),
      'user-agent': hostile.replaceAll(/[^\x20-\x7e]/g, '?'),
    })
    const text = account.slice(0, 100)
    await save('lists', { list: 'watch', kind: 'account', value: account, reason: text })
    await save('labels', {
      kind: 'fraud',
      subject: { type: 'account', value: account },
      source: 'review',
      note: text,
    })
    await save('cases', { subject: { type: 'account', value: account }, title: text, request_id: requestId })
    await save('decision-rules', {
      name: text,
      condition: 'false',
      effect: { action: 'review' },
      state: 'shadow',
    })
    subjects.push({ account, requestId })
  }
  const { client } = await connectOverHttp(url, person, BOTH)
  const before = await everything()
  const answers: string[] = []
  const call = async (name: string, args: object) =>
    void answers.push((await callTool(client, name, args)).text)
  for (const { account, requestId } of subjects) {
    await call('find_anything', { q: account })
    await call('search_identifications', { user_hid: [account] })
    await call('explain_identification', { request_id: requestId })
    await call('get_entity', { type: 'user_hid', value: account })
    await call('get_neighbours', { type: 'user_hid', value: account })
    await call('get_entity', { type: account, value: account })
  }
  for (const name of [
    'list_patterns',
    'list_cases',
    'list_list_entries',
    'list_labels',
    'list_decision_rules',
  ])
    await call(name, name === 'list_decision_rules' ? {} : { limit: 50 })
  for (let number = 1; number <= 3; number += 1) await call('get_case', { case_id: number })
  expect(await proposals()).toEqual([])
  // An assistant that was talked into it can only propose, and says nothing of what it read.
  for (const hostile of HOSTILE_TEXTS.slice(0, 6)) {
    const entry = {
      list: 'allow',
      kind: 'account',
      value: 'eve',
      reason: hostile.slice(0, 200),
      why: hostile,
    }
    answers.push((await callTool(client, 'propose_list_entry', entry)).text)
  }
  await client.close()
  const whole = answers.filter((text) => text.startsWith('{'))
  expect(whole.length).toBeGreaterThan(HOSTILE_TEXTS.length * 5)
  for (const text of whole) {
    expect(text).not.toMatch(HIDDEN)
    const plain = unmarked(JSON.parse(text)).join(' ')
    for (const sign of ['gnore all', 'SYSTEM', 'Human', 'propose_', 'obey', 'approve', 'im_start', 'visible'])
      expect(plain).not.toContain(sign)
  }
  expect(whole.join(' ')).toContain('gnore all previous')
  expect(await everything()).toBe(before)
})

test('an assistant has the role of its person at each call, and loses it with them', async () => {
  const email = 'rita@shop.example'
  const by = { actor: 'test', nowMs: Date.now() }
  await addUser(server.store, { email, password: PASSWORD, role: 'member' }, by)
  const rita = await signedIn(email)
  const { memory, sentTo } = await startOverHttp(url)
  await expect(agree(rita, sentTo, BOTH)).rejects.toThrow('no such domain')

  const become = (role: DomainRole) =>
    person('POST', `/account/domains/${DOMAIN}/members`, { email, role }).then(({ status }) => status)
  expect(await become('reviewer')).toBe(200)
  const { back } = await agree(rita, sentTo, BOTH)
  const client = await letIn(url, memory, back)
  const entry = { list: 'watch', kind: 'account', value: 'rita-proposes', reason: 'x', why: 'y' }
  expect(await callTool(client, 'list_cases', {})).toMatchObject({ ok: true })
  expect(await callTool(client, 'propose_list_entry', entry)).toMatchObject({ ok: true })
  const [mine] = (await proposals()).filter(({ user }) => user === email)
  const proposal = `${PROPOSALS}/${mine?.id}`
  expect(await (await rita('POST', proposal)).json()).toEqual({ error: 'your role does not allow this' })
  expect((await proposals()).map(({ id }) => id)).toContain(mine?.id)

  expect(await become('read-only')).toBe(200)
  expect((await proposals()).map(({ id }) => id)).not.toContain(mine?.id)
  expect(await callTool(client, 'list_cases', {})).toMatchObject({ ok: true })
  const refused = await callTool(client, 'propose_list_entry', entry)
  expect([refused.ok, refused.text]).toEqual([false, expect.stringContaining('INK_ROLE')])

  expect(await become('integrator')).toBe(200)
  expect((await connectedOf(rita)).data).toEqual([])
  expect(await become('analyst')).toBe(200)
  await expect(callTool(client, 'list_cases', {})).rejects.toThrow()
})
