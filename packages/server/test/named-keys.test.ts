import { API_KEY_PATTERN, API_KEY_SCOPE_NAMES, type ApiKeyScope, NIL_UUID } from '@inkling/contract'

import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addApiKey } from '../src/auth/api-keys.ts'
import { domainStore } from '../src/store/domains/domains.ts'
import { runCli } from './run-cli.ts'
import { startTestServer, type TestServer } from './running-server.ts'

let server: TestServer & { close(): Promise<void> }
beforeAll(async () => {
  server = await startTestServer({ settings: { HISTORY_LIMIT_PER_SECOND: '1000' } })
})
afterAll(() => server?.close())

const key = async (...args: string[]) => {
  const { status, stdout, stderr } = await runCli(['key', ...args, '--json'], { DATA_DIR: server.directory })
  expect(stderr).toBe('')
  expect(status).toBe(0)
  return JSON.parse(stdout)
}

/** One route of each scope, or several. */
const ROUTES: [ApiKeyScope, method: 'GET' | 'POST', path: string][] = [
  ['history:read', 'GET', `history/request_id/${NIL_UUID}`],
  ['history:read', 'GET', `explanation/${NIL_UUID}`],
  ['assess', 'POST', 'assess'],
  ['decide', 'POST', 'decide'],
  ['labels:write', 'POST', 'labels'],
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

test('each route opens with exactly one scope and with the key of the domain', async () => {
  const { store } = server
  const id = (await domainStore(store.reads).find('shop.example'))?.id ?? 0
  const keys: Record<string, string> = {}
  for (const scope of API_KEY_SCOPE_NAMES) {
    const drafted = { name: `Only ${scope}`, scopes: [scope], expiresAtMs: null }
    const by = { actor: 'command line', nowMs: Date.now() }
    keys[scope] = await store.writes
      .transaction()
      .execute(async (transaction) => (await addApiKey(transaction, id, drafted, by)).key)
  }
  const [, ...others] = Object.values(keys)
  // The server learns of keys of the command line within a second.
  await vi.waitFor(async () =>
    expect((await ask(others.at(-1) ?? '', 'POST', 'labels')).status).not.toBe(401),
  )
  for (const [scope, method, path] of ROUTES) {
    expect([401, 403]).not.toContain((await ask(server.keys.api_key, method, path)).status)
    for (const [own, apiKey] of Object.entries(keys)) {
      const { status, body } = await ask(apiKey, method, path)
      if (own === scope) expect([401, 403], `${own} at ${path}`).not.toContain(status)
      else expect([status, JSON.parse(body)]).toEqual([403, { error: `this key has no scope ${scope}` }])
    }
  }
  expect(new Set(ROUTES.map(([scope]) => scope))).toEqual(new Set(API_KEY_SCOPE_NAMES))
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
