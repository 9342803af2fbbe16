import { randomUUID } from 'node:crypto'
import { DecideAnswer, DecideRefusal, type DecideRequest, DecisionChanged } from '@inkling/contract'
import { SessionAnswer } from '@inkling/contract/account'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decide } from '../src/decide/decide.ts'
import { DECIDED_COLUMNS, type DecisionQuestion, factsOf } from '../src/decide/decision-facts.ts'
import { ruleSetOf } from '../src/decide/rule-set.ts'
import { addEndpoint } from '../src/deliver/webhook-endpoints.ts'
import { score } from '../src/score/score.ts'
import {
  decisionRuleStore,
  NO_THRESHOLDS,
  readDecisionRule,
} from '../src/store/decision-rules/decision-rules.ts'
import { domainStore } from '../src/store/domains/domains.ts'
import { erase } from '../src/store/erasure/erase.ts'
import { identificationRow } from '../src/store/identifications/identification-row.ts'
import { removeOlder } from '../src/store/identifications/remove-identifications.ts'
import { overTor } from './account/stored-visits.ts'
import { AUTOMATED, ordinaryBody, uniqueDevice } from './contract/bodies.ts'
import { from } from './contract/roomy-settings.ts'
import { OWNER, PASSWORD, startDashboardServer } from './dashboard/dashboard-server.ts'
import { identified } from './identified.ts'
import { postSnapshot, type TestServer } from './running-server.ts'
import { storeLaterVersion } from './store-later-version.ts'
import { webhookReceiver } from './webhook-receiver.ts'

let server: TestServer & { close(): Promise<void> }
let aheadMs = 0
let save: (path: string, body: object, method?: string) => Promise<void>

beforeAll(async () => {
  server = await startDashboardServer({
    otherDomains: ['other.example'],
    now: () => Date.now() + aheadMs,
  })
  const signedIn = await fetch(`${server.url}/account/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: OWNER, password: PASSWORD }),
  })
  const { access_token } = SessionAnswer.parse(await signedIn.json())
  save = async (path, body, method = 'POST') => {
    const answer = await fetch(`${server.url}/account/domains/shop.example/${path}`, {
      method,
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(answer.status).toBeLessThan(300)
  }
  await save('decision-rules', {
    name: 'A program',
    condition: 'flags.browser_automation && fields.plan == "trial"',
    effect: { action: 'deny' },
    state: 'on',
  })
  await save('decision-rules', {
    name: 'Another address',
    condition: 'address_matches == false',
    effect: { action: 'challenge' },
    purposes: ['login'],
    state: 'on',
  })
  await save('lists', { list: 'watch', kind: 'account', value: 'ann', reason: 'asked for help' })
  await save('lists', { list: 'allow', kind: 'account', value: 'crew' })
})
afterAll(() => server?.close())

async function visit(requestId: string = randomUUID(), readings = {}, given = {}): Promise<string> {
  const body = ordinaryBody(given, readings)
  expect((await postSnapshot(server, requestId, body, from('91.0.7.1'))).status).toBe(200)
  return requestId
}

type Asked = Partial<DecideRequest> & { request_id: string }

const ask = (asked: Asked, { api_key } = server.keys): Promise<Response> =>
  fetch(`${server.url}/api/v1/decide`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ purpose: 'signup', wait_ms: 0, ...asked }),
  })

async function decided(asked: Asked) {
  return answered(await ask(asked))
}

async function answered(answer: Response) {
  expect(answer.status).toBe(200)
  return DecideAnswer.strict().parse(await answer.json())
}

async function refused(asked: Asked): Promise<string> {
  const answer = await ask(asked)
  expect(answer.status).toBe(409)
  return DecideRefusal.strict().parse(await answer.json()).reason
}

const stored = (requestIds: string[]) =>
  server.store.reads
    .selectFrom('decisions')
    .selectAll()
    .where(
      'request_id',
      'in',
      requestIds.map((id) => Uint8Array.fromHex(id.replaceAll('-', ''))),
    )
    .execute()

test('a question that is ahead of its visit waits for it, and rules, lists and fields of the customer decide', async () => {
  const requestId = randomUUID()
  const question = { request_id: requestId, wait_ms: 5_000, fields: { plan: 'trial' } }
  const asked = ask(question)
  await visit(requestId, AUTOMATED)
  const early = await asked
  // On a busy machine a visit may take longer than a question may wait.
  expect(await answered(early.status === 404 ? await ask(question) : early)).toMatchObject({
    request_id: requestId,
    action: 'deny',
    reasons: ['Rule “A program” was met'],
    rules: [{ name: 'A program', version: 1, state: 'on' }],
    account: null,
    address_matches: null,
    velocity: { address: { visits: { m5: 1, d7: 1 } } },
  })
  const login = { request_id: requestId, purpose: 'login', client_address: '91.0.7.2' } as const
  expect(await decided(login)).toMatchObject({ action: 'challenge', address_matches: false })
  const payment = { request_id: requestId, purpose: 'payment', client_address: '91.0.7.1' } as const
  expect(await decided({ ...payment, account: 'ann' })).toMatchObject({
    action: 'deny',
    reasons: [
      'No rule decides, and the score is dangerous',
      'The watch list has the account ann: asked for help',
    ],
    address_matches: true,
  })
})

test('of many questions about one visit one has an answer, which the same question with its key has again', async () => {
  const request_id = await visit()
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask({ request_id })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(19).fill(409)])
  expect(await refused({ request_id, idempotency_key: 'late' })).toBe('visit_used')

  const keyed = { request_id, purpose: 'login', idempotency_key: 'a-key' } as const
  const [first, ...others] = await Promise.all(Array.from({ length: 10 }, () => decided(keyed)))
  expect(new Set(others.map(({ decision_id }) => decision_id))).toEqual(new Set([first?.decision_id]))
  expect(await decided({ ...keyed, wait_ms: 10 })).toEqual(first)
  expect(await refused({ ...keyed, account: 'eve' })).toBe('key_used')
  expect(await refused({ ...keyed, request_id: await visit() })).toBe('key_used')
  expect(await refused({ ...keyed, idempotency_key: 'b-key' })).toBe('visit_used')
})

test('visits that are unknown, of another domain, another host or too old decide nothing', async () => {
  const unknown = await ask({ request_id: randomUUID(), wait_ms: 60 })
  expect([unknown.status, await unknown.json()]).toEqual([404, { error: 'no such identification' }])
  const request_id = await visit()
  expect((await ask({ request_id }, server.others[0])).status).toBe(404)
  expect((await ask({ request_id: '00000000-0000-0000-0000-000000000000' })).status).toBe(404)
  expect(await refused({ request_id, host: 'other.example' })).toBe('other_host')
  expect((await ask({ request_id, account: 'anonymous' })).status).toBe(400)
  expect((await ask({ request_id, client_address: 'nowhere' })).status).toBe(400)
  expect(
    (
      await ask({
        request_id,
        fields: {
          text: 'é'.repeat(400),
          more: ['é'.repeat(500), 'é'.repeat(500), 'é'.repeat(500), 'é'.repeat(500)],
        },
      })
    ).status,
  ).toBe(400)
  aheadMs = 700_000
  try {
    expect(await refused({ request_id })).toBe('visit_too_old')
    expect(await decided({ request_id, host: 'SHOP.example', max_age_seconds: 3_600 })).toMatchObject({
      action: 'allow',
      reasons: ['No rule decides'],
    })
  } finally {
    aheadMs = 0
  }
})

test('what is stored of decisions leads to the same ones again', async () => {
  const ids = await Promise.all([{}, AUTOMATED, {}, AUTOMATED].map((readings) => visit(undefined, readings)))
  for (const [index, request_id] of ids.entries())
    await decided({
      request_id,
      purpose: index % 2 ? 'signup' : 'login',
      fields: index > 1 ? { plan: 'trial' } : {},
      client_address: '91.0.7.9',
      ...(index > 0 && { account: 'ann' }),
    })
  const domain = await domainStore(server.store.reads).find('shop.example')
  const rules = await decisionRuleStore(server.store.reads).listLatest()
  const set = ruleSetOf({
    rules: rules.filter(({ domain_id }) => domain_id === domain?.id).map(readDecisionRule),
    thresholds: NO_THRESHOLDS,
  })
  const decisions = await stored(ids)
  expect(decisions.map(({ action }) => action).sort()).toEqual(['challenge', 'challenge', 'deny', 'deny'])
  for (const { request_id, question, answer } of decisions) {
    const row = await server.store.reads
      .selectFrom('identifications')
      .select(DECIDED_COLUMNS)
      .where('request_id', '=', request_id)
      .executeTakeFirstOrThrow()
    const asked = JSON.parse(question) as DecisionQuestion
    const { action, reasons } = DecideAnswer.omit({ velocity: true }).parse(JSON.parse(answer))
    expect(decide(set, factsOf(row, asked))).toMatchObject({ action, reasons })
  }
})

test('a decision goes with its visit, and with the account and the address that it names', async () => {
  const ids = await Promise.all([visit(), visit(), visit(), visit()])
  const [first = '', second = '', third = '', fourth = ''] = ids
  await decided({ request_id: first })
  await decided({ request_id: second, account: 'erin' })
  await decided({ request_id: third, client_address: '2001:DB8:0::7' })
  await decided({ request_id: fourth, account: 'someone else' })
  const { id = 0 } = (await domainStore(server.store.reads).find('shop.example')) ?? {}
  for (const identifier of [
    { type: 'request_id', value: first },
    { type: 'user_hid', value: 'erin' },
    { type: 'ip', value: '2001:db8::7' },
  ] as const)
    await erase(server.store, id, identifier)
  expect((await stored(ids)).map(({ account }) => account)).toEqual(['someone else'])
  expect((await ask({ request_id: first })).status).toBe(404)

  await removeOlder(server.store, Date.now() + 1_000)
  expect(await stored(ids)).toEqual([])
})

test('an account that a page claims lets nobody pass, and one that the backend names does', async () => {
  const request_id = await visit(undefined, AUTOMATED, { user_hid: 'crew' })
  expect(await decided({ request_id })).toMatchObject({ action: 'deny', account: 'crew' })
  expect(await decided({ request_id, purpose: 'payment', account: 'else' })).toMatchObject({ action: 'deny' })
  expect(await decided({ request_id, purpose: 'promotion', account: 'crew' })).toMatchObject({
    action: 'allow',
    reasons: ['The allow list has the account crew'],
  })
})

test('an endpoint that asks for it is told when late evidence would have changed a decision', async () => {
  const receiver = await webhookReceiver()
  const domain = await domainStore(server.store.reads).find('shop.example')
  if (!domain) throw new Error('no domain')
  const { row } = await addEndpoint(server.store, server.box, domain.id, receiver.url, Date.now())
  await save(`endpoints/${row.id}`, { decision_events: true }, 'PATCH')
  const request_id = await visit()
  const { decision_id } = await decided({ request_id })
  const evidence = identified({ requestId: request_id, ...overTor() })
  const late = score({ ...evidence, domain: { ...evidence.domain, id: domain.id } })
  const version = identificationRow(late, Date.now() + 60_000)
  await storeLaterVersion(server.store, version)
  // Whether the endpoint is known before the visit, which then sends an event as well, depends on the machine.
  const events = async () => receiver.received.map(({ body }) => JSON.parse(body.toString())).filter(isChange)
  await expect.poll(events, { timeout: 20_000 }).toHaveLength(1)
  expect(DecisionChanged.strict().parse((await events())[0]).data).toMatchObject({
    decision_id,
    request_id,
    answered_action: 'allow',
    action: 'deny',
  })
})

const isChange = ({ event_type }: { event_type: string }): boolean => event_type === 'decision.changed'

test('a device that is denied after its visit is denied in the next question, which a replay knows', async () => {
  const request_id = await visit(undefined, uniqueDevice())
  const { action, device_id } = await decided({ request_id })
  expect(action).toBe('allow')
  await save('lists', { list: 'deny', kind: 'device', value: device_id, reason: 'stolen' })
  const later = await decided({ request_id, purpose: 'payment' })
  expect(later).toMatchObject({
    action: 'deny',
    reasons: [`The deny list has the device ${device_id}: stolen`],
  })
  const questions = (await stored([request_id])).map(({ purpose, question }) => [
    purpose,
    JSON.parse(question).lists,
  ])
  expect(Object.fromEntries(questions)).toEqual({
    signup: [],
    payment: [{ list: 'deny', kind: 'device', value: device_id, reason: 'stolen' }],
  })
})
