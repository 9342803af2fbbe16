import { randomUUID } from 'node:crypto'
import {
  API_KEY_PATTERN,
  API_KEY_SCOPE_NAMES,
  type ApiKeyScope,
  NIL_UUID,
  PRIVATE_KEY_SCOPES,
} from '@inkling/contract'
import { KEY_READ_NAMES, keyRead, SessionAnswer } from '@inkling/contract/account'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addApiKey } from '../src/auth/api-keys.ts'
import { domainStore } from '../src/store/domains/domains.ts'
import { ordinaryBody, uniqueDevice } from './contract/bodies.ts'
import { from } from './contract/roomy-settings.ts'
import { OWNER, PASSWORD, startDashboardServer } from './dashboard/dashboard-server.ts'
import { runCli } from './run-cli.ts'
import { postSnapshot, type TestServer } from './running-server.ts'

let server: TestServer & { close(): Promise<void> }
beforeAll(async () => {
  server = await startDashboardServer({ otherDomains: ['other.example'] })
})
afterAll(() => server?.close())

const key = async (...args: string[]) => {
  const { status, stdout, stderr } = await runCli(['key', ...args, '--json'], { DATA_DIR: server.directory })
  expect(stderr).toBe('')
  expect(status).toBe(0)
  return JSON.parse(stdout)
}

async function addKey(domain: string, key: Parameters<typeof addApiKey>[2]): Promise<string> {
  const { store } = server
  const id = (await domainStore(store.reads).find(domain))?.id ?? 0
  const by = { actor: 'test', nowMs: Date.now() }
  const made = await store.writes.transaction().execute((transaction) => addApiKey(transaction, id, key, by))
  return made.key
}

const DEVICE = '5a0b2c6e-1c9f-4f0c-9a51-8c0f0a7d2b11'

/** One route of each scope, or several. */
const ROUTES: [ApiKeyScope, method: 'GET' | 'POST', path: string][] = [
  ['history:read', 'GET', `history/request_id/${NIL_UUID}`],
  ['history:read', 'GET', `explanation/${NIL_UUID}`],
  ['assess', 'POST', 'assess'],
  ['decide', 'POST', 'decide'],
  ['labels:write', 'POST', 'labels'],
  ['patterns:read', 'GET', 'patterns'],
  ['patterns:read', 'GET', 'patterns/1'],
  ['entities:read', 'GET', 'entity?type=user_hid&value=ada'],
  ['entities:read', 'GET', `device-changes?device_id=${DEVICE}`],
  ['entities:read', 'GET', `device-comparison?a=${DEVICE}&b=${DEVICE}`],
  ['lists:read', 'GET', 'lists'],
  ['cases:read', 'GET', 'cases'],
  ['cases:read', 'GET', 'cases/1'],
]

async function ask(apiKey: string, method: string, path: string) {
  const answer = await fetch(`${server.url}/api/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(method === 'POST' && { body: '{}' }),
  })
  const { date: _date, ...headers } = Object.fromEntries(answer.headers)
  return { status: answer.status, headers, body: await answer.text() }
}

test('each route opens with exactly one scope, and with the key of the domain what it always opened', async () => {
  const keys: Record<string, string> = {}
  for (const scope of API_KEY_SCOPE_NAMES)
    keys[scope] = await addKey('shop.example', { name: `Only ${scope}`, scopes: [scope], expiresAtMs: null })
  const newest = Object.values(keys).at(-1) ?? ''
  // A running server learns of them within a second.
  await vi.waitFor(async () => expect((await ask(newest, 'POST', 'labels')).status).not.toBe(401))
  for (const [scope, method, path] of ROUTES) {
    const byPrivateKey = (await ask(server.keys.api_key, method, path)).status
    if (PRIVATE_KEY_SCOPES.includes(scope)) expect([401, 403], path).not.toContain(byPrivateKey)
    else expect(byPrivateKey, path).toBe(403)
    for (const [own, apiKey] of Object.entries(keys)) {
      const { status, body } = await ask(apiKey, method, path)
      if (own === scope) expect([401, 403], `${own} at ${path}`).not.toContain(status)
      else expect([status, JSON.parse(body)]).toEqual([403, { error: `this key has no scope ${scope}` }])
    }
  }
  const asked = ROUTES.map(([scope, , path]) => `${scope} /api/v1/${path.replace(/\?.*/, '')}`)
  for (const { scope, path } of KEY_READ_NAMES.map(keyRead))
    expect(asked).toContain(`${scope} ${path.replace(/\{\w+\}/, '1')}`)
  expect(new Set(ROUTES.map(([scope]) => scope))).toEqual(new Set(API_KEY_SCOPE_NAMES))
})

test('a key reads what a person reads, of its own domain only', async () => {
  const login = await fetch(`${server.url}/account/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: OWNER, password: PASSWORD }),
  })
  const { access_token: token } = SessionAnswer.parse(await login.json())
  const account = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${server.url}/account/domains/shop.example/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    expect(answer.status).toBeLessThan(300)
    return (await answer.json()) as object
  }
  const body = ordinaryBody({ user_hid: 'ada' }, uniqueDevice())
  expect((await postSnapshot(server, randomUUID(), body, from('91.0.2.7'))).status).toBe(200)
  await account('POST', 'lists', { list: 'watch', kind: 'account', value: 'ada' })
  await account('POST', 'cases', { subject: { type: 'account', value: 'ada' } })

  const scopes = API_KEY_SCOPE_NAMES.filter((scope) => scope.endsWith(':read'))
  const made = { name: 'Reader', scopes, expiresAtMs: null }
  const own = await addKey('shop.example', made)
  const foreign = await addKey('other.example', made)
  await vi.waitFor(async () => expect((await ask(foreign, 'GET', 'cases')).status).toBe(200))
  const read = async (apiKey: string, path: string) => {
    const { status, headers, body: text } = await ask(apiKey, 'GET', path)
    expect(headers['cache-control']).toBe('no-store')
    return { status, ...JSON.parse(text) }
  }
  for (const path of ['patterns', 'entity?type=user_hid&value=ada', 'lists?list=watch', 'cases', 'cases/1'])
    expect(await read(own, path), path).toEqual({ status: 200, ...(await account('GET', path)) })
  expect((await read(own, 'cases?assignee=none')).data).toHaveLength(1)
  for (const path of ['patterns', 'lists', 'cases'])
    expect(await read(foreign, path)).toMatchObject({ status: 200, data: [] })

  const refused: [apiKey: string, path: string, status: number, error: RegExp][] = [
    [foreign, 'entity?type=user_hid&value=ada', 404, /^no identification has it$/],
    [foreign, 'cases/1', 404, /^no such case$/],
    [own, 'patterns/99', 404, /^no such finding$/],
    [own, 'cases?assignee=me', 400, /^assignee: /],
    [own, 'lists?limit=1000', 400, /^limit: /],
    [own, 'lists?domain=other.example', 400, /domain/],
  ]
  for (const [apiKey, path, status, error] of refused) {
    const answer = await ask(apiKey, 'GET', path)
    expect([answer.status, JSON.parse(answer.body).error], path).toEqual([
      status,
      expect.stringMatching(error),
    ])
  }
})

test('a key of the command line is listed, rotated with an overlap and revoked, then like an unknown one', async () => {
  const made = await key('add', 'shop.example', 'Exports', '--scopes', 'history:read', '--expires-days', '30')
  expect(made.api_key).toMatch(API_KEY_PATTERN)
  const { api_key: rotated, old_key_until } = await key('rotate', 'shop.example', made.id)
  expect(Date.parse(old_key_until) - Date.now()).toBeGreaterThan(23 * 3_600_000)
  const route = ['GET', `history/request_id/${NIL_UUID}`] as const
  await vi.waitFor(async () => expect((await ask(rotated, ...route)).status).toBe(200))
  expect((await ask(made.api_key, ...route)).status).toBe(200)
  const keys = await key('list', 'shop.example')
  expect(keys).toContainEqual(
    expect.objectContaining({ id: made.id, key: `…${rotated.slice(-4)}`, created_by: 'command line' }),
  )
  expect(JSON.stringify(keys)).not.toContain(rotated)

  await key('revoke', 'shop.example', made.id)
  await vi.waitFor(async () => expect((await ask(rotated, ...route)).status).toBe(401))
  const unknown = 'sec_aaaaaaaa-aaaaaaaa-aaaaaaaa'
  for (const [, method, path] of ROUTES)
    for (const revoked of [rotated, made.api_key])
      expect(await ask(revoked, method, path)).toEqual(await ask(unknown, method, path))
})

test('the command line refuses what makes no sense, and says what would', async () => {
  const run = (...args: string[]) => runCli(['key', ...args], { DATA_DIR: server.directory })
  const wrong = await run('add', 'shop.example', 'All', '--scopes', 'everything')
  expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining('history:read, assess, decide')])
  const main = await run('rotate', 'shop.example', 'api', '--overlap-hours', '2')
  expect([main.status, main.stderr]).toEqual([1, expect.stringContaining('only named keys overlap')])
  const missing = await run('revoke', 'shop.example', 'abc')
  expect([missing.status, missing.stderr]).toEqual([1, expect.stringContaining('has no named key abc')])
})
