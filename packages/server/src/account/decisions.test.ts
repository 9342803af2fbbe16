import { randomBytes, randomUUID } from 'node:crypto'
import { DECISION_ACTIONS, DECISION_PURPOSES, DecideRequest, type StoredDecision } from '@inkling/contract'
import { DecisionCounts, DecisionPage } from '@inkling/contract/account'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { accountSurface } from '../../test/account/account-surface.ts'
import { planOf, recorder } from '../../test/account/query-plans.ts'
import { registerDomain } from '../auth/register-domain.ts'
import { createAnswers } from '../decide/answer-question.ts'
import { createVisitArrivals } from '../decide/visit-arrivals.ts'
import { decisionStore } from '../store/decisions/decisions.ts'
import { listStore } from '../store/lists/list-entries.ts'
import type { Store } from '../store/store.ts'
import { decisionOperations } from './decisions.ts'

async function shop() {
  const surface = await accountSurface()
  const { store, domainId, directory, ask, tokens, clock } = surface
  const eve = { list: 'deny', kind: 'account', value: 'eve', reason: '', expiresAtMs: undefined } as const
  await listStore(store.writes).save(domainId, [eve], { author: 'somebody', nowMs: clock.nowMs })
  await directory.refresh()
  const domain = directory.byName('shop.example')
  if (!domain) throw new Error('no domain')
  const answer = createAnswers({
    store,
    arrivals: createVisitArrivals(),
    hits: { count: () => undefined },
    now: () => clock.nowMs,
    monotonicMs: () => 0,
  })
  return {
    ...surface,
    async decided(asked: Partial<DecideRequest> & { request_id: string }) {
      const answered = await answer(
        DecideRequest.parse({ purpose: 'signup', wait_ms: 0, max_age_seconds: 86_400, ...asked }),
        domain,
      )
      if (!('answer' in answered)) throw new Error(answered.refused)
      const { velocity: _velocity, ...stored } = answered.answer
      return { ...stored, changed: null }
    },
    counts: async (query = '') => {
      const url = `/account/domains/shop.example/decisions/count${query}`
      return DecisionCounts.parse((await ask({ url, token: tokens.analyst })).json()).actions
    },
    page: async (query = '', name = 'shop.example') =>
      DecisionPage.parse(
        (await ask({ url: `/account/domains/${name}/decisions${query}`, token: tokens.analyst })).json(),
      ),
  }
}

test('decisions are listed as they were answered, newest first, each on one page, by visit, action and purpose', async () => {
  const { decided, page, record, store, ask } = await shop()
  const visits = [await record(), await record(), await record()]
  const all: StoredDecision[] = []
  for (const request_id of visits) {
    all.unshift(await decided({ request_id }))
    all.unshift(await decided({ request_id, purpose: 'payment', account: 'eve' }))
  }
  expect((await page()).data).toEqual(all)

  const paged = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { data, next } = await page(`?limit=2${cursor && `&cursor=${cursor}`}`)
    paged.push(...data)
    cursor = next
  }
  expect(paged).toEqual(all)

  const only = async (query: string) => (await page(query)).data.map(({ decision_id }) => decision_id)
  const ids = (matches: (decision: (typeof all)[number]) => boolean) =>
    all.filter(matches).map(({ decision_id }) => decision_id)
  expect(await only('?action=deny')).toEqual(ids(({ action }) => action === 'deny'))
  expect(ids(({ action }) => action === 'deny')).toHaveLength(3)
  expect(await only('?purpose=signup')).toEqual(ids(({ purpose }) => purpose === 'signup'))
  expect(await only('?purpose=signup&action=deny')).toEqual([])
  expect(await only(`?request_id=${visits[1]}`)).toEqual(ids(({ request_id }) => request_id === visits[1]))
  expect(await only(`?request_id=${visits[1]}&action=deny&purpose=payment`)).toHaveLength(1)
  expect(await only(`?request_id=${randomUUID()}`)).toEqual([])
  const first = (await page('?action=deny&limit=1')).next ?? ''
  expect(await only(`?action=deny&cursor=${first}`)).toEqual(ids(({ action }) => action === 'deny').slice(1))

  await registerDomain(store, 'other.example', 1)
  expect((await page('', 'other.example')).data).toEqual([])
  const nobody = { url: '/account/domains/shop.example/decisions', token: undefined }
  expect((await ask(nobody)).statusCode).toBe(401)
})

test('decisions are counted by action, and listed, between two times', async () => {
  const { decided, page, record, clock, counts } = await shop()
  const startMs = clock.nowMs
  const all: StoredDecision[] = []
  for (const account of ['ada', 'eve', 'ada', 'eve', 'grace']) {
    clock.nowMs += 1_000
    all.unshift(await decided({ request_id: await record(), account }))
  }
  const at = (seconds: number): string => new Date(startMs + seconds * 1_000).toISOString()
  const some = (total: number) => ({ total, complete: true })
  expect(await counts()).toEqual({ allow: some(3), review: some(0), challenge: some(0), deny: some(2) })
  const range = `?from=${at(2)}&to=${at(5)}`
  expect(await counts(range)).toMatchObject({ allow: some(1), deny: some(2) })
  expect((await page(range)).data).toEqual(all.slice(1, 4))
  const first = await page(`${range}&action=deny&limit=1`)
  expect(first.data).toEqual([all[1]])
  expect((await page(`${range}&action=deny&cursor=${first.next}`)).data).toEqual([all[3]])
  expect(await counts(`?from=${at(9)}`)).toMatchObject({ allow: some(0), deny: some(0) })
})

test('a count of decisions stops at its limit', async () => {
  const { decided, record, store, domainId } = await shop()
  for (let index = 0; index < 4; index += 1) await decided({ request_id: await record() })
  const counted = await decisionStore(store.reads).countByAction(domainId, {}, 2)
  expect(counted.get('allow')).toBe(3)
})

/** Which index PostgreSQL prefers says nothing while a table has one row. */
async function multiply({ writes }: Pick<Store, 'writes'>): Promise<void> {
  const { id: _id, ...row } = await writes.selectFrom('decisions').selectAll().executeTakeFirstOrThrow()
  const some = DECISION_PURPOSES.flatMap((purpose) =>
    DECISION_ACTIONS.flatMap((action) =>
      Array.from({ length: 40 }, (_, index) => ({
        ...row,
        purpose,
        action,
        decided_at: row.decided_at - index,
      })),
    ),
  )
  for (let start = 0; start < some.length; start += 500) {
    const rows = some.slice(start, start + 500).map((one) => ({ ...one, request_id: randomBytes(16) }))
    await writes.insertInto('decisions').values(rows).execute()
  }
  await sql`analyze decisions`.execute(writes)
}

test.each([
  ['newest', {}],
  ['an action', { action: 'deny' }],
  [
    'an action between two times',
    { action: 'deny', from: '2026-11-20T00:00:00Z', to: '2026-11-22T00:00:00Z' },
  ],
  ['a purpose', { purpose: 'signup' }],
])('%s: decisions are listed and counted from an index, a bounded number of them', async (_, given) => {
  const surface = await shop()
  await surface.decided({ request_id: await surface.record(), account: 'eve' })
  await multiply(surface.store)
  const record = recorder()
  const store = { ...surface.store, reads: surface.store.reads.withPlugin(record) }
  const params = { domain: 'shop.example' }
  const { from, to } = { from: undefined, to: undefined, ...given }
  await decisionOperations.listDecisions(
    { params, query: { ...given, limit: 50 } } as never,
    { store } as never,
  )
  await decisionOperations.countDecisions({ params, query: { from, to } } as never, { store } as never)
  const plans = []
  for (const node of record.seen) plans.push(await planOf(surface.store.writes, node))
  const ofDecisions = plans.filter(({ text }) => text.includes('from "decisions"'))
  expect(ofDecisions).toHaveLength(3)
  const [list, rows, count] = ofDecisions
  for (const { text, plan } of [list, count].filter((one) => one !== undefined)) {
    const shown = `${text}\n${plan.join('\n')}`
    const reads = plan.filter((line) => /(SEARCH|SCAN|(?<!Heap )Scan).*decisions/.test(line))
    expect(reads.length, shown).toBeGreaterThan(0)
    for (const line of reads) expect(line, shown).toContain('decisions_kind_time')
  }
  expect(list?.text).toContain(' limit ')
  expect(rows?.text).toContain('"id" in (')
})
