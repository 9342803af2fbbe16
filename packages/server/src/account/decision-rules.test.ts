import { randomUUID } from 'node:crypto'
import { DecisionRuleText } from '@inkling/contract'
import {
  CheckedCondition,
  DecisionBackTest,
  DecisionBackTestStart,
  DecisionFactList,
  DecisionRuleList,
  DecisionRuleVersion,
  DecisionRuleVersions,
  LatestDecisionBackTest,
  ReadyMadeRules,
  TrialDecision,
} from '@inkling/contract/account'
import { expect, test, vi } from 'vitest'
import { accountSurface } from '../../test/account/account-surface.ts'
import { fromDatacenter, overTor, storeVisit } from '../../test/account/stored-visits.ts'
import { identified } from '../../test/identified.ts'
import { createRuleHits } from '../decide/rule-hits.ts'
import { createDecisionBackTests } from '../jobs/decision-back-test/decision-back-tests.ts'
import { decisionRuleStore } from '../store/decision-rules/decision-rules.ts'
import { domainStore } from '../store/domains/domains.ts'
import { labelStore } from '../store/labels/labels.ts'
import { auditStore } from '../store/users/users.ts'

const URL = '/account/domains/shop.example/decision-rules'
const BACK_TEST = '/account/domains/shop.example/decision-back-test'

const RULE = { name: 'Tor', condition: 'flags.tor', effect: { action: 'deny' } }

async function shop() {
  const surface = await accountSurface()
  const { ask, tokens } = surface
  const add = (payload: object, token = tokens.owner) => ask({ method: 'POST', url: URL, payload, token })
  return {
    ...surface,
    add,
    change: (id: number, payload: object) => ask({ method: 'PATCH', url: `${URL}/${id}`, payload }),
    rules: async () =>
      DecisionRuleList.strict().parse((await ask({ url: URL, token: tokens.analyst })).json()),
    start: (payload: object) => ask({ method: 'POST', url: BACK_TEST, payload }),
    async finished() {
      const latest = async () =>
        LatestDecisionBackTest.strict().parse((await ask({ url: BACK_TEST, token: tokens.analyst })).json())
          .back_test
      await vi.waitUntil(async () => (await latest())?.state !== 'running', { timeout: 20_000 })
      return latest()
    },
  }
}

test('a rule counts at once; each save is a version with its author, and a removed rule keeps them', async () => {
  const { add, change, rules, directory, clock, ask, actions } = await shop()
  const added = DecisionRuleVersion.strict().parse((await add(RULE)).json())
  expect(added).toMatchObject({ id: 1, version: 1, state: 'off', priority: 0, purposes: null, latest: true })
  clock.nowMs += 1_000
  expect((await change(1, { state: 'on', purposes: ['login'] })).json()).toMatchObject({
    version: 2,
    ...RULE,
  })
  expect((await rules()).rules).toEqual([
    expect.objectContaining({
      ...RULE,
      id: 1,
      version: 2,
      state: 'on',
      actor: 'owner@shop.example',
      hits: [],
    }),
  ])
  expect(directory.byName('shop.example')?.decisionRules.rules).toEqual([
    { ...RULE, id: 1, version: 2, state: 'on', priority: 0, purposes: ['login'] },
  ])
  expect((await add({ ...RULE, name: 'Another' })).json()).toMatchObject({ id: 2, version: 1 })
  expect((await ask({ method: 'DELETE', url: `${URL}/1` })).statusCode).toBe(204)
  expect((await rules()).rules.map(({ id }) => id)).toEqual([2])
  expect(directory.byName('shop.example')?.decisionRules.rules).toHaveLength(1)
  const { versions } = DecisionRuleVersions.strict().parse((await ask({ url: `${URL}/1/versions` })).json())
  expect(versions.map(({ version, state, latest }) => [version, state, latest])).toEqual([
    [2, 'on', false],
    [1, 'off', false],
  ])
  // Its number is not given away.
  expect((await add(RULE)).json()).toMatchObject({ id: 3 })
  for (const answer of [
    await change(1, { state: 'on' }),
    await ask({ method: 'DELETE', url: `${URL}/1` }),
    await ask({ url: `${URL}/9/versions` }),
  ])
    expect(answer.statusCode).toBe(404)
  expect((await actions()).slice(0, 5)).toEqual([
    'decision_rules.add',
    'decision_rules.remove',
    'decision_rules.add',
    'decision_rules.change',
    'decision_rules.add',
  ])
})

test('a domain has two hundred rules and no more, and a set that does not fit is not added in part', async () => {
  const { add, rules, ask, store } = await shop()
  const { id } = (await domainStore(store.reads).find('shop.example')) ?? {}
  await store.writes.transaction().execute(async (transaction) => {
    const text = DecisionRuleText.parse(RULE)
    for (let count = 0; count < 199; count++)
      await decisionRuleStore(transaction).add(id ?? 0, text, { actor: 'test', nowMs: 1 })
  })
  const set = await ask({ method: 'POST', url: `${URL}/ready-made`, payload: { set: 'login' } })
  expect([set.statusCode, set.json()]).toEqual([
    409,
    { error: 'the domain may have 200 rules, too few for this set; remove some' },
  ])
  expect((await add(RULE)).statusCode).toBe(201)
  const refused = await add(RULE)
  expect([refused.statusCode, refused.json()]).toEqual([
    409,
    { error: 'the domain has 200 rules, the most it may have; remove one' },
  ])
  expect((await rules()).rules).toHaveLength(200)
})

test('a condition with a problem is told with its place, and never saved', async () => {
  const { add, change, rules, ask, start } = await shop()
  await add(RULE)
  const condition = 'score > 1 &&\n  signals.vpm'
  for (const answer of [
    await add({ ...RULE, condition }),
    await change(1, { condition }),
    await start({ purpose: 'login', rules: [{ ...RULE, condition }] }),
  ]) {
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error).toContain('condition: line 2, column 11: No such key: vpm')
  }
  expect((await rules()).rules).toMatchObject([{ version: 1, condition: RULE.condition }])
  const check = async (text: string) =>
    CheckedCondition.strict().parse(
      (
        await ask({ method: 'POST', url: '/account/decision-rules/check', payload: { condition: text } })
      ).json(),
    )
  expect(await check(condition)).toEqual({
    valid: false,
    problem: { message: 'No such key: vpm', line: 2, column: 11 },
  })
  expect(await check(RULE.condition)).toEqual({ valid: true, problem: null })
})

test('the facts, thresholds and ready-made sets can be read and used', async () => {
  const { ask, rules, directory, tokens } = await shop()
  const { facts } = DecisionFactList.strict().parse(
    (await ask({ url: '/account/decision-rules/facts', token: tokens.analyst })).json(),
  )
  expect(facts).toContainEqual({ name: 'velocity.device.accounts.h24', type: 'int', nullable: true })
  expect(facts).toContainEqual({ name: 'score', type: 'int', nullable: false })
  const thresholds = { review: 30, challenge: 60, deny: null }
  await ask({
    method: 'PATCH',
    url: '/account/domains/shop.example/decision-thresholds',
    payload: thresholds,
  })
  expect(directory.byName('shop.example')?.decisionRules.thresholds).toEqual(thresholds)
  const { sets } = ReadyMadeRules.strict().parse(
    (await ask({ url: '/account/decision-rules/ready-made' })).json(),
  )
  expect(sets.map(({ id }) => id)).toEqual(['signup', 'login', 'payment', 'promotion', 'scraping'])
  const url = `${URL}/ready-made`
  expect((await ask({ method: 'POST', url, payload: { set: 'signup' } })).statusCode).toBe(201)
  const saved = await rules()
  expect(saved).toMatchObject({ thresholds })
  expect(saved.rules.map(({ name, state }) => [name, state])).toEqual(
    sets[0]?.rules.map(({ name }) => [name, 'shadow']),
  )
  expect((await ask({ method: 'POST', url, payload: { set: 'nothing' } })).statusCode).toBe(404)
})

test('rules can be tried on one identification, and hits are counted by day and state', async () => {
  const { add, ask, rules, store, domainId, clock } = await shop()
  await add({ ...RULE, state: 'on' })
  const { requestId } = await storeVisit({ store, domainId, clock }, overTor())
  const attempt = async (payload: object) =>
    ask({
      method: 'POST',
      url: `${URL}/try`,
      payload: { request_id: requestId, purpose: 'signup', ...payload },
    })
  const answer = TrialDecision.strict().parse((await attempt({})).json())
  expect(answer).toMatchObject({
    action: 'deny',
    reasons: ['Rule “Tor” was met'],
    met: [{ rule: 1, version: 1 }],
  })
  expect(answer.facts).toMatchObject({ score: 99, band: 'dangerous', purpose: 'signup' })
  const tried = [{ ...RULE, condition: 'fields.plan == "free"', effect: { action: 'review' } }]
  expect((await attempt({ rules: tried, fields: { plan: 'free' } })).json()).toMatchObject({
    action: 'review',
    met: [{ rule: 0, version: 0 }],
  })
  expect((await attempt({ request_id: randomUUID() })).statusCode).toBe(404)

  const hits = createRuleHits({ store, now: () => clock.nowMs, slewedNow: () => clock.nowMs })
  const counted = { ...answer, failed: [] }
  for (let index = 0; index < 3; index += 1) hits.count(domainId, counted)
  await hits.flush()
  hits.count(domainId, { met: [], failed: [{ rule: 1, name: 'Tor', version: 1, state: 'on', message: 'x' }] })
  await hits.flush()
  expect((await rules()).rules[0]?.hits).toEqual([
    { day: '2026-11-21T00:00:00.000Z', state: 'on', met: 3, failed: 1 },
  ])
  // More than a statement has parameters for.
  const met = Array.from({ length: 12_000 }, (_, index) => ({ rule: index + 1, name: 'Tor', version: 1 }))
  hits.count(domainId, {
    met: met.map((rule) => ({ ...rule, state: 'on', effect: { action: 'deny' } })),
    failed: [],
  })
  await hits.flush()
  const { stored } = await store.reads
    .selectFrom('decision_rule_hits')
    .select(({ fn }) => fn.sum<number>('met').as('stored'))
    .executeTakeFirstOrThrow()
  expect(Number(stored)).toBe(12_003)
})

test('a trial follows the lists as a question would', async () => {
  const { ask, store, domainId, clock } = await shop()
  const list = { list: 'deny', kind: 'account', value: 'eve' }
  await ask({ method: 'POST', url: '/account/domains/shop.example/lists', payload: list })
  const { requestId } = await storeVisit({ store, domainId, clock }, {})
  const tried = (account: string) =>
    ask({
      method: 'POST',
      url: `${URL}/try`,
      payload: { request_id: requestId, purpose: 'login', account },
    })
  expect((await tried('eve')).json()).toMatchObject({
    action: 'deny',
    facts: { lists: { deny: ['account'] } },
  })
  expect((await tried('ann')).json()).toMatchObject({ facts: { lists: { deny: [] } } })
  expect((await tried('anonymous')).statusCode).toBe(400)
})

test('the audit log names rules and their versions, and never a condition', async () => {
  const { add, change, store } = await shop()
  await add({ ...RULE, condition: 'account == "eve"' })
  await change(1, { condition: 'account == "ann"' })
  const entries = await auditStore(store.reads).list(undefined, 2)
  expect(entries.map(({ detail }) => JSON.parse(detail))).toEqual([
    { rule: 1, name: 'Tor', version: 2 },
    { rule: 1, name: 'Tor', version: 1 },
  ])
})

test('two changes of a rule at once are two versions of it', async () => {
  const { add, change } = await shop()
  await add(RULE)
  const changed = await Promise.all([change(1, { state: 'on' }), change(1, { priority: 5 })])
  expect(changed.map((answer) => [answer.statusCode, answer.json().version]).sort()).toEqual([
    [200, 2],
    [200, 3],
  ])
})

test('a back-test tells what rules would decide otherwise, and how well that agrees with labels', async () => {
  const surface = await shop()
  const { add, start, finished, store, domainId, clock } = surface
  await add({ ...RULE, effect: { action: 'review' }, state: 'on' })
  const tor = await storeVisit(surface, { ...overTor(), userHid: 'mallory' })
  const hosted = await storeVisit(surface, { ...fromDatacenter(), userHid: 'mira' })
  await storeVisit(surface, { userHid: 'mira' })
  await labelStore(store.writes).save(
    domainId,
    [
      { kind: 'fraud', requestId: tor.requestId },
      { kind: 'legitimate', requestId: hosted.requestId },
    ].map(({ kind, requestId }) => ({
      kind,
      subject: { type: 'request' as const, value: requestId },
      source: 'test',
      atMs: clock.nowMs,
      note: '',
    })),
    { author: 'test', nowMs: clock.nowMs },
  )
  const hosting = {
    name: 'Hosting',
    condition: 'flags.datacenter_ip',
    effect: { action: 'challenge' },
  }
  const started = await start({ purpose: 'login', rules: [{ ...RULE, id: 1 }, hosting] })
  expect(DecisionBackTest.strict().parse(started.json())).toMatchObject({ state: 'running', report: null })
  const test = await finished()
  expect(test).toMatchObject({ state: 'done', done: 3, total: 3 })
  expect(test?.report).toMatchObject({
    visits: 3,
    changed: 2,
    matrix: { allow: { allow: 1, challenge: 1 }, review: { review: 0, deny: 1 } },
    bands: { trusted: { visits: 2, changed: 1 }, dangerous: { visits: 1, changed: 1 } },
    countries: [{ country: identified().ip.country, visits: 3, changed: 2 }],
    accounts: {
      visits: 2,
      changed: 2,
      most: [
        { account: 'mira', visits: 2, changed: 1 },
        { account: 'mallory', visits: 1, changed: 1 },
      ],
    },
    rules: [
      { rule: 1, name: 'Tor', met: 1, failed: 0, message: null },
      { rule: 0, name: 'Hosting', met: 1, failed: 0, message: null },
    ],
    labels: {
      fraud: 1,
      legitimate: 1,
      before: {
        caught_fraud: 1,
        caught_legitimate: 0,
        precision: { value: 1, high: 1 },
        recall: { value: 1 },
      },
      after: { caught_fraud: 1, caught_legitimate: 1, precision: { value: 0.5 } },
    },
  })
  expect(
    test?.report?.samples.map(({ request_id, before, after }) => [request_id, before, after]).sort(),
  ).toEqual(
    [
      [tor.requestId, 'review', 'deny'],
      [hosted.requestId, 'allow', 'challenge'],
    ].sort(),
  )
  // A test changes nothing that is stored.
  expect((await surface.rules()).rules).toMatchObject([{ version: 1, hits: [] }])
  await start({ purpose: 'login', rules: [RULE], keep: false, visits: 1, caught_from: 'deny' })
  expect((await finished())?.report).toMatchObject({ visits: 1, changed: 0, rules: [{ rule: 0, met: 0 }] })
})

test('a domain runs one back-test of rules at a time, and it can be cancelled', async () => {
  const { store, domainId, clock, ask, ...surface } = await shop()
  await storeVisit({ store, domainId, clock })
  const request = DecisionBackTestStart.parse({ purpose: 'login' })
  const tests = createDecisionBackTests({ store, now: () => clock.nowMs, warn: expect.unreachable })
  expect((await tests.start({ id: domainId }, request))?.state).toBe('running')
  expect(await tests.start({ id: domainId }, request)).toBeUndefined()
  await tests.cancel(domainId)
  expect(await tests.latest(domainId)).toMatchObject({ state: 'cancelled', endedAtMs: clock.nowMs })
  expect((await tests.start({ id: domainId }, request))?.state).toBe('running')
  await tests.close()
  expect((await ask({ method: 'DELETE', url: BACK_TEST })).statusCode).toBe(204)
  await surface.start({ purpose: 'login' })
  expect((await surface.finished())?.state).toBe('done')
})
