import { DecideRequest, DecisionChanged } from '@inkling/contract'
import { DecisionPage } from '@inkling/contract/account'
import { expect, test } from 'vitest'
import { accountSurface } from '../../../test/account/account-surface.ts'
import { overTor } from '../../../test/account/stored-visits.ts'
import { identified } from '../../../test/identified.ts'
import { storeLaterVersion } from '../../../test/store-later-version.ts'
import { createAnswers } from '../../decide/answer-question.ts'
import { createVisitArrivals } from '../../decide/visit-arrivals.ts'
import { addEndpoint } from '../../deliver/webhook-endpoints.ts'
import { uuidBytesOrNil } from '../../lib/uuid.ts'
import { score } from '../../score/score.ts'
import { domainStore, endpointStore } from '../../store/domains/domains.ts'
import { identificationRow } from '../../store/identifications/identification-row.ts'
import type { Identified } from '../../visit/identification.ts'
import { compareDecisions } from './compare-decisions.ts'

async function shop() {
  const surface = await accountSurface()
  const { store, domainId, directory, secrets, ask, clock } = surface
  const domain = directory.byName('shop.example')
  if (!domain) throw new Error('no domain')
  const warnings: string[] = []
  const warn = (message: string) => void warnings.push(message)
  const deps = { store, directory, now: () => clock.nowMs, warn }
  const { row: endpoint } = await addEndpoint(store, secrets, domainId, 'https://shop.example/hook', 1)
  await addEndpoint(store, secrets, domainId, 'https://shop.example/scores', 1)
  await endpointStore(store.writes).change(domainId, endpoint.id, { decision_events: 1 })
  let ver = identified().atMs
  const answer = createAnswers({
    store,
    arrivals: createVisitArrivals(),
    hits: { count: () => undefined },
    now: () => clock.nowMs,
    monotonicMs: () => 0,
  })
  return {
    ...surface,
    deps,
    warnings,
    async decided(request_id: string) {
      const asked = { request_id, purpose: 'signup', wait_ms: 0, max_age_seconds: 86_400 }
      const answered = await answer(DecideRequest.parse(asked), domain)
      if (!('answer' in answered)) throw new Error(answered.refused)
      return answered.answer
    },
    async refine(requestId: string, given: Partial<Identified> = {}, isRescored = false) {
      ver += 1
      const visit = identified({ requestId, domain: { ...identified().domain, id: domainId }, ...given })
      const row = identificationRow(score(visit), ver)
      await storeLaterVersion(store, row, { isRescored })
      return ver
    },
    /** Several processes at the same time. */
    compare: () => Promise.all([1, 2, 3].map(() => compareDecisions(deps))),
    async changed() {
      const answered = await ask({ url: '/account/domains/shop.example/decisions' })
      return DecisionPage.parse(answered.json()).data[0]?.changed
    },
    async events() {
      const rows = await store.reads.selectFrom('outbox').selectAll().orderBy('id').execute()
      return rows.map(({ endpoint_id, body }) => {
        expect(endpoint_id).toBe(endpoint.id)
        return DecisionChanged.strict().parse(JSON.parse(Buffer.from(body).toString()))
      })
    },
  }
}

test('late evidence that would lead to another action is told once to each endpoint that asked, and the answer stays', async () => {
  const { record, decided, refine, compare, changed, events, ask } = await shop()
  const request_id = await record()
  const first = await decided(request_id)
  expect(first).toMatchObject({ action: 'allow', score: 0 })
  await refine(request_id)
  await compare()
  expect([await changed(), await events()]).toEqual([null, []])

  const ver = await refine(request_id, overTor())
  await compare()
  await compare()
  const [event, ...others] = await events()
  expect(others).toEqual([])
  expect(event?.data).toMatchObject({
    decision_id: first.decision_id,
    request_id,
    answered_action: 'allow',
    previous_action: 'allow',
    action: 'deny',
    ver,
  })
  expect(await changed()).toMatchObject({ action: 'deny', ver, score: event?.data.score })
  const { data } = (await ask({ url: '/account/domains/shop.example/decisions' })).json()
  const { velocity: _velocity, ...answered } = first
  expect(data).toEqual([{ ...answered, changed: await changed() }])

  await refine(request_id)
  await compare()
  expect((await events()).slice(1).map(({ data }) => [data.previous_action, data.action])).toEqual([
    ['deny', 'allow'],
  ])
  expect(await changed()).toMatchObject({ action: 'allow' })
})

test('a re-scoring is no evidence: no decision is compared with it, and nobody is told', async () => {
  const { record, decided, refine, compare, changed, events } = await shop()
  const request_id = await record()
  await decided(request_id)
  await refine(request_id, overTor(), true)
  await compare()
  expect([await changed(), await events()]).toEqual([null, []])
})

test('evidence that comes while a visit is decided about is not missed, and other visits are left alone', async () => {
  const { record, decided, refine, compare, events, store } = await shop()
  const [early, late] = [await record(), await record()]
  await decided(early)
  const copy = await store.reads.selectFrom('decisions').selectAll().executeTakeFirstOrThrow()
  await refine(late, overTor())
  // Read before the evidence and stored after it.
  const { id: _id, stale: _stale, later: _later, ...row } = copy
  await store.commit({ type: 'decision', row: { ...row, request_id: uuidBytesOrNil(late) } })
  await compare()
  expect((await events()).map(({ data }) => [data.request_id, data.action])).toEqual([[late, 'deny']])
})

test('evidence that comes while a domain is disabled is compared once it is enabled', async () => {
  const { record, decided, refine, compare, events, store, domainId, directory } = await shop()
  const request_id = await record()
  await decided(request_id)
  const enable = async (enabled: boolean) => {
    await domainStore(store.writes).change(domainId, { enabled: enabled ? 1 : 0 })
    await directory.refresh()
  }
  await enable(false)
  await refine(request_id, overTor())
  await compare()
  expect(await events()).toEqual([])
  await enable(true)
  await compare()
  expect((await events()).map(({ data }) => data.action)).toEqual(['deny'])
})

/** What a release may meet after a downgrade, or in a damaged row. */
const UNREADABLE = [
  ['an action that this release does not know', { later: '{"action":"quarantine"}' }],
  ['a damaged question', { question: '{"purpose":' }],
  ['a question of another form', { question: 'null' }],
  ['a damaged answer', { answer: '' }],
] as const

test.each(UNREADABLE)('%s holds up no decision after it, and is told once', async (_, damage) => {
  const { record, decided, refine, deps, warnings, events, store } = await shop()
  const [damaged, sound] = [await record(), await record()]
  for (const requestId of [damaged, sound]) await decided(requestId)
  for (const requestId of [damaged, sound]) await refine(requestId, overTor())
  const ofDamaged = uuidBytesOrNil(damaged)
  await store.writes.updateTable('decisions').set(damage).where('request_id', '=', ofDamaged).execute()

  await compareDecisions(deps)
  await compareDecisions(deps)
  expect((await events()).map(({ data }) => [data.request_id, data.action])).toEqual([[sound, 'deny']])
  const row = await store.reads
    .selectFrom('decisions')
    .selectAll()
    .where('request_id', '=', ofDamaged)
    .executeTakeFirstOrThrow()
  expect(row).toMatchObject({ stale: null, ...damage })
  expect(warnings).toEqual([`decision ${row.id} cannot be read, so it was not compared with late evidence`])
})

test('a decision waits while the database does not answer, and is compared afterwards', async () => {
  const { record, decided, refine, deps, compare, warnings, events, store } = await shop()
  const request_id = await record()
  await decided(request_id)
  await refine(request_id, overTor())
  let reads = 0
  const jobReads = store.jobReads.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      reads += 1
      if (reads > 1) throw new Error('connection terminated')
      return result
    },
  })
  await expect(compareDecisions({ ...deps, store: { ...store, jobReads } })).rejects.toThrow('terminated')
  expect([await events(), warnings]).toEqual([[], []])
  await compare()
  expect((await events()).map(({ data }) => data.action)).toEqual(['deny'])
})
