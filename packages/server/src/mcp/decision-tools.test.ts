import { randomUUID } from 'node:crypto'
import { Explanation, NIL_UUID } from '@inkling/contract'
import { SessionAnswer } from '@inkling/contract/account'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askTool, connectAssistant } from '../../test/assistant.ts'
import { AUTOMATED, ordinaryBody, uniqueDevice } from '../../test/contract/bodies.ts'
import { identify, rowOf } from '../../test/contract/callers.ts'
import { from } from '../../test/contract/roomy-settings.ts'
import { OWNER, PASSWORD, startDashboardServer } from '../../test/dashboard/dashboard-server.ts'

let server: Awaited<ReturnType<typeof startDashboardServer>>
let assistant: Client

beforeAll(async () => {
  server = await startDashboardServer({ otherDomains: ['other.example'] })
  assistant = await connectAssistant({ HISTORY_URL: server.url, INKLING_API_KEY: server.keys.api_key })
  const signedIn = await post('/account/login', { email: OWNER, password: PASSWORD })
  const { access_token } = SessionAnswer.parse(await signedIn.json())
  const domain = '/account/domains/shop.example'
  const rule = { condition: 'flags.browser_automation', state: 'on' }
  await post(
    `${domain}/decision-rules`,
    { ...rule, name: 'A program', effect: { action: 'deny' } },
    access_token,
  )
  const trial = { ...rule, name: 'On trial', effect: { action: 'review' }, state: 'shadow' }
  await post(`${domain}/decision-rules`, trial, access_token)
  const watched = { list: 'watch', kind: 'account', value: 'ann', reason: 'asked for help' }
  await post(`${domain}/lists`, watched, access_token)
})
afterAll(async () => {
  await assistant?.close()
  await server?.close()
})

async function post(path: string, body: object, token = server.keys.api_key): Promise<Response> {
  const answer = await fetch(server.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answer.status).toBeLessThan(300)
  return answer
}

async function visit(account: string, readings: object = {}, device = uniqueDevice()): Promise<string> {
  const requestId = randomUUID()
  const body = ordinaryBody({ user_hid: account }, { ...readings, ...device })
  await identify(server, requestId, body, from('91.0.8.1'))
  return requestId
}

const decide = (request_id: string, asked: object) => post('/api/v1/decide', { request_id, ...asked })
const ask = (name: string, args: object) => askTool(assistant, name, args)

async function explained(requestId: string, key = server.keys.api_key): Promise<Response> {
  return fetch(`${server.url}/api/v1/explanation/${requestId}`, {
    headers: { authorization: `Bearer ${key}` },
  })
}

test('get_decisions answers what the backend was told, the newest first, and by which rules', async () => {
  const requestId = await visit('eve', AUTOMATED)
  await decide(requestId, { purpose: 'signup' })
  await decide(requestId, { purpose: 'payment', account: 'ann' })
  const { decisions } = await ask('get_decisions', { request_id: requestId })
  const denied = {
    action: 'deny',
    rules: [
      { name: 'A program', version: 1, state: 'on', effect: { action: 'deny' } },
      { name: 'On trial', version: 1, state: 'shadow', effect: { action: 'review' } },
    ],
    would_be_by_later_evidence: null,
  }
  expect(decisions).toMatchObject([
    { ...denied, purpose: 'payment', account: 'ann' },
    { ...denied, purpose: 'signup', account: 'eve' },
  ])
  expect(decisions[0].reasons[0]).toContain('A program')
})

test('a visit that nobody asked about is not called allowed', async () => {
  const requestId = await visit('eve')
  const answer = await ask('get_decisions', { request_id: requestId })
  expect(answer).toMatchObject({ decisions: [], meaning: expect.stringContaining('does not mean') })
  const unknown = await ask('get_decisions', { request_id: randomUUID() })
  expect(unknown.meaning).toContain('no such identification')
})

test('get_lists_and_labels answers what was said of the visit, without names of people of the site', async () => {
  const requestId = await visit('ann')
  const label = { kind: 'chargeback', subject: { type: 'account', value: 'ann' }, source: 'bank' }
  await post('/api/v1/labels', { ...label, at: '2026-01-02T00:00:00.000Z' })
  const newer = { ...label, source: 'review', note: 'order 7', at: '2026-01-03T00:00:00.000Z' }
  await post('/api/v1/labels', newer)
  await post('/api/v1/labels', { ...label, subject: { type: 'account', value: 'eve' } })
  const answer = await ask('get_lists_and_labels', { request_id: requestId })
  expect(answer.list_entries).toEqual([
    { list: 'watch', kind: 'account', value: 'ann', reason: 'asked for help' },
  ])
  expect(answer.labels).toMatchObject([newer, { ...label, note: '' }])
  expect(JSON.stringify(answer)).not.toContain('author')
})

test('the explanation has decisions and labels for the key of the domain only', async () => {
  const requestId = await visit('carl')
  const before = Explanation.parse(await (await explained(requestId)).json())
  expect(before).not.toHaveProperty('decisions')
  expect(before).not.toHaveProperty('labels')
  await decide(requestId, { purpose: 'login' })
  await post('/api/v1/labels', {
    kind: 'legitimate',
    subject: { type: 'request', value: requestId },
    source: 'a',
  })
  const after = Explanation.parse(await (await explained(requestId)).json())
  expect(after.decisions).toMatchObject([{ purpose: 'login', action: 'allow' }])
  expect(after.labels).toMatchObject([{ kind: 'legitimate' }])
  const [other] = server.others
  expect((await explained(requestId, other?.api_key)).status).toBe(404)
})

test('get_velocity answers the counts of a visit, and of what its newest visit has', async () => {
  const device = uniqueDevice()
  await visit('dora', {}, device)
  const requestId = await visit('dora', {}, device)
  const row = await rowOf(server, requestId)
  const all = await ask('get_velocity', { by: 'request_id', value: requestId })
  expect(Object.keys(all.velocity)).toEqual(['device', 'visitor', 'cookie', 'account', 'address', 'prefix'])
  expect(all.velocity.account.visits).toEqual({ m5: 2, h1: 2, h24: 2, d7: 2 })
  const account = await ask('get_velocity', { by: 'user_hid', value: 'dora' })
  expect(account).toMatchObject({ visit: requestId, velocity: { account: all.velocity.account } })
  const ofDevice = await ask('get_velocity', { by: 'device_id', value: row.device_id })
  expect(ofDevice.velocity).toEqual({ device: all.velocity.device })
  const address = await ask('get_velocity', { by: 'ip', value: '91.0.8.1' })
  expect(Object.keys(address.velocity)).toEqual(['address', 'prefix'])

  const nobody = await ask('get_velocity', { by: 'device_id', value: NIL_UUID })
  expect(nobody.meaning).toContain('names nobody')
  expect((await ask('get_velocity', { by: 'user_hid', value: 'zoe' })).meaning).toContain('No counted visit')
})

test('check_condition says where a condition is wrong', async () => {
  expect(await ask('check_condition', { condition: 'score >= 30 && flags.vpn' })).toEqual({ valid: true })
  const condition = 'velocity.device.acounts.h24 >= 4'
  expect(await ask('check_condition', { condition })).toEqual({
    valid: false,
    problem: { message: 'No such key: acounts', line: 1, column: 17 },
  })
})

test('list_facts opens one group of facts after the other', async () => {
  const { total, facts } = await ask('list_facts', {})
  expect(facts).toMatchObject({ score: 'int', country: 'string or null' })
  expect(facts['velocity.']).toMatch(/^a group of \d+$/)
  expect(total).toBeGreaterThan(100)
  const windows = await ask('list_facts', { starts_with: 'velocity.device.accounts.' })
  expect(windows.facts).toEqual({
    'velocity.device.accounts.m5': 'int or null',
    'velocity.device.accounts.h1': 'int or null',
    'velocity.device.accounts.h24': 'int or null',
    'velocity.device.accounts.d7': 'int or null',
  })
})
