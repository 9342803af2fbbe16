import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Explanation, Label, type LabelDraft } from '@inkling/contract'
import { IdentificationDetail, SessionAnswer } from '@inkling/contract/account'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ordinaryBody, uniqueDevice } from './contract/bodies.ts'
import { from } from './contract/roomy-settings.ts'
import { OWNER, PASSWORD, startDashboardServer } from './dashboard/dashboard-server.ts'
import { runCli } from './run-cli.ts'
import { postSnapshot, type TestServer } from './running-server.ts'

let server: TestServer & { close(): Promise<void> }
let token: string

beforeAll(async () => {
  server = await startDashboardServer({ otherDomains: ['other.example'] })
  const answer = await fetch(`${server.url}/account/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: OWNER, password: PASSWORD }),
  })
  token = SessionAnswer.parse(await answer.json()).access_token
})
afterAll(() => server?.close())

const account = (method: string, path: string, body?: object): Promise<Response> =>
  fetch(`${server.url}/account/domains/shop.example/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })

async function visit(address: string, given: object = {}, keys = server.keys): Promise<string> {
  const requestId = randomUUID()
  const answer = await postSnapshot(
    { url: server.url, keys },
    requestId,
    ordinaryBody(given, uniqueDevice()),
    from(address),
  )
  expect(answer.status).toBe(200)
  return requestId
}

async function explained(requestId: string, keys = server.keys) {
  const headers = { authorization: `Bearer ${keys.api_key}` }
  const answer = await fetch(`${server.url}/api/v1/explanation/${requestId}`, { headers })
  const { lists = [], score } = Explanation.parse(await answer.json())
  return { score, lists: lists.map(({ list, kind, reason }) => `${list} ${kind} ${reason}`) }
}

const inkling = (...args: string[]) =>
  runCli(args, { DATA_DIR: server.directory, PATH: process.env.PATH ?? '' })

test('a visit keeps the entries that it matched, which change no score, also when they are gone', async () => {
  const unlisted = await explained(await visit('91.0.2.1'))
  const saved = await account('POST', 'lists', {
    list: 'deny',
    kind: 'cidr',
    value: '91.0.2.0/24',
    reason: 'stolen cards',
  })
  await account('POST', 'lists', { list: 'watch', kind: 'account', value: 'ann', reason: 'asked for help' })
  const requestId = await visit('91.0.2.2', { user_hid: 'ann' })
  const listed = { score: unlisted.score, lists: ['deny cidr stolen cards', 'watch account asked for help'] }
  expect(await explained(requestId)).toEqual(listed)

  const { id } = (await saved.json()) as { id: number }
  expect((await account('DELETE', `lists/${id}`)).status).toBe(204)
  expect(await explained(requestId)).toEqual(listed)
  expect((await explained(await visit('91.0.2.3'))).lists).toEqual([])
  const [other] = server.others
  if (!other) throw new Error('no other domain')
  const theirs = await visit('91.0.2.4', { user_hid: 'ann' }, other)
  expect((await explained(theirs, other)).lists).toEqual([])
})

test('the command line imports, exports and removes entries, and the server follows', async () => {
  const file = join(server.directory, 'lists.csv')
  await writeFile(
    file,
    'list,kind,value,reason,expires_at\ndeny,address,91.0.3.7,"=a, b",2099-01-01T00:00:00Z\n',
  )
  expect(JSON.parse((await inkling('list', 'import', 'shop.example', file, '--json')).stdout)).toEqual({
    rows: 1,
    replaced: 0,
  })
  await vi.waitFor(
    async () => expect((await explained(await visit('91.0.3.7'))).lists).toEqual(['deny address =a, b']),
    { timeout: 30_000 },
  )
  expect((await inkling('list', 'export', 'shop.example', '--list', 'deny')).stdout).toMatch(
    /\r\ndeny,address,91\.0\.3\.7,"'=a, b",2099-01-01T00:00:00\.000Z,command line,/,
  )
  const added = await inkling(
    'list',
    'add',
    'shop.example',
    'watch',
    'asn',
    'AS64500',
    '--expires',
    '2099-01-01',
    '--json',
  )
  const entry = JSON.parse(added.stdout)
  expect(entry).toMatchObject({
    value: '64500',
    expires_at: '2099-01-01T00:00:00.000Z',
    author: 'command line',
  })
  expect(
    JSON.parse((await inkling('list', 'remove', 'shop.example', String(entry.id), '--json')).stdout),
  ).toEqual(entry)
  const left = JSON.parse(
    (await inkling('list', 'show', 'shop.example', '--value', '64500', '--json')).stdout,
  )
  expect(left).toEqual([])
  await writeFile(file, 'kind,subject_type,subject_value,source\nfraud,account,eve,review\n')
  const labelled = await inkling('labels', 'import', 'shop.example', file, '--json')
  expect(JSON.parse(labelled.stdout)).toEqual({ rows: 1, replaced: 0 })
  await writeFile(file, 'list,kind,value\ndeny,address,nowhere\n')
  expect(await inkling('list', 'import', 'shop.example', file)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('line 2: value: not an IP address'),
  })
})

test('a backend labels a visitor once, however often it says so, and its page shows what the label reaches', async () => {
  const send = (body: Partial<LabelDraft>, key = server.keys.api_key) =>
    fetch(`${server.url}/api/v1/labels`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'chargeback', source: 'bank', ...body }),
    })
  const paid = await visit('91.0.4.1', { user_hid: 'bob' })
  const later = await visit('91.0.4.2', { user_hid: 'bob' })
  const subject = { type: 'request', value: paid } as const
  const first = await send({ subject })
  const label = Label.parse(await first.json())
  expect(label).toMatchObject({ subject, author: 'api key' })
  expect(Label.parse(await (await send({ subject, note: 'order 7' })).json())).toMatchObject({
    id: label.id,
    note: 'order 7',
  })
  const detail = IdentificationDetail.parse(await (await account('GET', `identifications/${later}`)).json())
  expect(detail.labels).toMatchObject([{ label: { id: label.id }, reach: 'same_account' }])

  expect((await send({ subject }, 'sec_00000000-00000000-00000000')).status).toBe(401)
  expect((await send({ subject: { type: 'account', value: 'anonymous' } })).status).toBe(400)
  expect((await send({ subject, kind: 'Fraud' })).status).toBe(400)
  const asForeigner = await send({ subject }, server.others[0]?.api_key)
  expect(Label.parse(await asForeigner.json()).id).not.toBe(label.id)
})
