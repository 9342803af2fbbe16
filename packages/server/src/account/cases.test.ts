import { randomUUID } from 'node:crypto'
import { DecideRequest } from '@inkling/contract'
import {
  type Case,
  CaseCounts,
  CaseDetail,
  CasePage,
  LabelPage,
  ListEntryPage,
} from '@inkling/contract/account'
import { SqliteAdapter, sql } from 'kysely'
import { expect, test } from 'vitest'
import { accountSurface } from '../../test/account/account-surface.ts'
import { identified } from '../../test/identified.ts'
import { createAnswers } from '../decide/answer-question.ts'
import { createVisitArrivals } from '../decide/visit-arrivals.ts'
import { openReviewCases } from '../jobs/cases/open-review-cases.ts'
import { HOUR_MS, MINUTE_MS } from '../lib/durations.ts'
import { removeClosedCases } from '../store/cases/forget-cases.ts'
import { removeDomain } from '../store/domains/remove-domain.ts'
import { erase } from '../store/erasure/erase.ts'
import { listStore } from '../store/lists/list-entries.ts'
import { userStore } from '../store/users/users.ts'

const URL = '/account/domains/shop.example/cases'

async function shop() {
  const surface = await accountSurface()
  const { ask, tokens, record, store, domainId, directory, clock } = surface
  const answer = createAnswers({
    store,
    arrivals: createVisitArrivals(),
    hits: { count: () => undefined },
    now: () => clock.nowMs,
    monotonicMs: () => 0,
  })
  const send = (method: 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object, token?: string) =>
    ask({ method, url: `${URL}${path}`, ...(payload && { payload }), ...(token && { token }) })
  return {
    ...surface,
    send,
    open: async (type: string, value: string, more: object = {}): Promise<Case> =>
      (await send('POST', '', { subject: { type, value }, ...more })).json(),
    detail: async (number: number) => CaseDetail.parse((await ask({ url: `${URL}/${number}` })).json()),
    page: async (query = '', token = tokens.analyst) =>
      CasePage.parse((await ask({ url: `${URL}${query}`, token })).json()),
    visit: (userHid: string, deviceId = randomUUID()) =>
      record({ userHid, identity: { ...identified().identity, deviceId } }),
    /** Has every account on the watch list reviewed. */
    async watch(...accounts: string[]) {
      const entries = accounts.map(
        (value) => ({ list: 'watch', kind: 'account', value, reason: '', expiresAtMs: undefined }) as const,
      )
      await listStore(store.writes).save(domainId, entries, { author: 'somebody', nowMs: clock.nowMs })
      await directory.refresh()
    },
    async decided(request_id: string, account: string, purpose = 'signup') {
      const domain = directory.byName('shop.example')
      if (!domain) throw new Error('no domain')
      const question = { request_id, account, purpose, wait_ms: 0, max_age_seconds: 86_400 }
      const answered = await answer(DecideRequest.parse(question), domain)
      if (!('answer' in answered)) throw new Error(answered.refused)
      return answered.answer
    },
    feed: (openMax?: number, warn: (message: string) => void = (message) => expect.fail(message)) =>
      openReviewCases(store, { nowMs: clock.nowMs, warn, ...(openMax !== undefined && { openMax }) }),
  }
}

test('each decision to review opens a case or is counted once in the open one of its subject, also after a restart', async () => {
  const { visit, watch, decided, feed, page, detail, send, ask, clock } = await shop()
  await watch('ann')
  const first = await visit('ann')
  const answer = await decided(first, 'ann')
  expect(answer.action).toBe('review')
  await decided(await visit('bob'), 'bob')
  await feed()
  await feed()
  await decided(await visit('ann'), 'ann', 'login')
  clock.nowMs += MINUTE_MS
  await feed()
  await feed()
  const { data } = await page()
  expect(data).toMatchObject([
    { number: 1, subject: { type: 'account', value: 'ann' }, source: 'rule', status: 'open', reviews: 2 },
  ])
  const { events } = await detail(1)
  expect(events.map(({ kind, decision }) => [kind, decision?.action])).toEqual([
    ['review', 'review'],
    ['review', 'review'],
  ])
  expect(events.at(-1)?.decision?.request_id).toBe(first)
  expect(Date.parse(data[0]?.due_at ?? '')).toBe(clock.nowMs - MINUTE_MS + 24 * HOUR_MS)

  // Closed, so that the next review is another case; off, so that there is none.
  expect((await send('POST', '/1/decision', { action: 'allow' })).statusCode).toBe(200)
  await decided(await visit('ann'), 'ann', 'payment')
  await feed()
  expect((await page()).data).toMatchObject([{ number: 2, reviews: 1 }])
  const payload = { review_cases: false }
  await ask({ method: 'PATCH', url: '/account/domains/shop.example', payload })
  await watch('cat')
  await decided(await visit('cat'), 'cat')
  await feed()
  expect((await page()).data).toHaveLength(1)
})

test('reviews of invented accounts open no more cases than a domain may have, and known ones are still counted', async () => {
  const { visit, watch, decided, feed, page, detail } = await shop()
  await watch('ann', 'bob')
  await decided(await visit('ann'), 'ann')
  await feed(1)
  await decided(await visit('bob'), 'bob')
  await decided(await visit('ann'), 'ann', 'login')
  await feed(1)
  expect((await page()).data).toMatchObject([{ subject: { value: 'ann' }, reviews: 2 }])
  expect((await detail(1)).events).toHaveLength(2)
})

test('a review is not missed when its decision has the number of an erased one', async () => {
  const { visit, watch, decided, feed, page, store, domainId, clock } = await shop()
  await watch('ann', 'bob')
  await decided(await visit('ann'), 'ann')
  clock.nowMs += MINUTE_MS
  await feed()
  await erase(store, domainId, { type: 'user_hid', value: 'ann' })
  await decided(await visit('bob'), 'bob')
  await feed()
  expect((await page()).data).toMatchObject([{ subject: { value: 'bob' }, reviews: 1 }])
})

test('a damaged decision is told and holds up no other', async () => {
  const { visit, watch, decided, feed, page, store } = await shop()
  await watch('ann', 'bob')
  await decided(await visit('ann'), 'ann')
  await store.writes.updateTable('decisions').set({ answer: '{"action":' }).execute()
  await decided(await visit('bob'), 'bob')
  const warnings: string[] = []
  await feed(undefined, (message) => warnings.push(message))
  expect(warnings).toEqual([expect.stringContaining('cannot be read')])
  expect((await page()).data).toMatchObject([{ subject: { value: 'bob' }, reviews: 1 }])
})

test('a decision with its label and entry is stored as a whole, taken back as a whole, and leaves what was there', async () => {
  const { open, send, ask, tokens, detail, actions, domainId, store, clock, directory } = await shop()
  const entries = async () =>
    ListEntryPage.parse((await ask({ url: '/account/domains/shop.example/lists' })).json()).data.map(
      ({ list, value }) => `${list} ${value}`,
    )
  const labels = async () =>
    LabelPage.parse((await ask({ url: '/account/domains/shop.example/labels' })).json()).data.map(
      ({ kind, subject }) => `${kind} ${subject.value}`,
    )
  const { number } = await open('account', 'ann')
  const decision = { action: 'deny', note: 'Same card', label: 'fraud', list: 'deny' }
  const path = `/${number}/decision`
  expect((await send('POST', path, decision, tokens.analyst)).statusCode).toBe(403)
  expect(await detail(number)).toMatchObject({ case: { status: 'open' } })
  expect((await send('POST', path, decision)).json()).toMatchObject({
    case: { status: 'closed', outcome: 'deny' },
    undoable: true,
  })
  expect([await entries(), await labels()]).toEqual([['deny ann'], ['fraud ann']])
  expect(directory.byName('shop.example')?.lists.match({ account: 'ann' }, clock.nowMs)).toHaveLength(1)
  expect((await send('POST', path, decision)).statusCode).toBe(409)
  expect((await send('DELETE', path, undefined, tokens.analyst)).statusCode).toBe(403)
  expect((await send('DELETE', path)).json()).toMatchObject({
    case: { status: 'in_progress', outcome: null, closed_at: null },
    undoable: false,
  })
  expect([await entries(), await labels()]).toEqual([[], []])
  expect((await send('DELETE', path)).statusCode).toBe(409)
  expect((await actions()).slice(0, 3)).toEqual(['cases.undo', 'cases.decide', 'cases.open'])

  const brief = { list: 'deny', kind: 'account', value: 'ann', reason: 'For a day' } as const
  const expiresAtMs = clock.nowMs + 86_400_000
  await store.writes
    .transaction()
    .execute((transaction) =>
      listStore(transaction).save(domainId, [{ ...brief, expiresAtMs }], { author: 'x', nowMs: 1 }),
    )
  await send('POST', path, decision)
  expect((await send('PATCH', `/${number}`, { status: 'open' })).statusCode).toBe(409)
  const ofAnn = () => listStore(store.reads).about(domainId, 'account', ['ann'])
  expect(await ofAnn()).toMatchObject([{ reason: `Case ${number}`, expires_at: null }])
  await send('DELETE', path)
  expect(await ofAnn()).toMatchObject([{ reason: 'For a day', expires_at: expiresAtMs }])

  const there = { list: 'deny', kind: 'account', value: 'ann', reason: '', expiresAtMs: undefined } as const
  await store.writes
    .transaction()
    .execute((transaction) => listStore(transaction).save(domainId, [there], { author: 'x', nowMs: 1 }))
  await send('POST', path, decision)
  await send('DELETE', path)
  expect([await entries(), await labels()]).toEqual([['deny ann'], []])
  expect(await ofAnn()).toMatchObject([{ reason: '', expires_at: null }])

  // A label that the subject cannot have leaves no entry either.
  const network = await open('cidr', '203.0.113.7/24')
  expect(network.subject.value).toBe('203.0.113.0/24')
  expect((await send('POST', `/${network.number}/decision`, decision)).statusCode).toBe(400)
  expect(await entries()).toEqual(['deny ann'])
})

test('the queue is searched by tab, priority, subject and what is overdue, page by page, and changed together', async () => {
  const { open, page, send, ask, tokens, clock, analyst, store } = await shop()
  const numbers = []
  for (const value of ['a', 'b', 'c', 'd']) {
    clock.nowMs += 1_000
    numbers.push((await open('account', value, { priority: value === 'd' ? 'high' : 'low' })).number)
  }
  expect(numbers).toEqual([1, 2, 3, 4])
  expect((await open('account', 'a')).number).toBe(1)
  const found = async (query: string) => (await page(query)).data.map(({ number }) => number)
  const assigned = await send('PATCH', '', { numbers: [1, 2], assignee: analyst.email }, tokens.analyst)
  expect(assigned.json()).toEqual({ changed: 2 })
  expect((await send('PATCH', '', { numbers: [3], assignee: 'no@body.example' })).statusCode).toBe(400)
  expect((await send('PATCH', '', { numbers: [3, 99], status: 'closed' })).statusCode).toBe(404)
  await send('PATCH', '', { numbers: [3], status: 'closed' })
  expect(await found('')).toEqual([1, 2, 4])
  expect(await found('?assignee=me')).toEqual([1, 2])
  expect(await found('?assignee=none')).toEqual([4])
  expect(await found(`?assignee=${analyst.email}&status=in_progress`)).toEqual([])
  expect(await found('?status=closed')).toEqual([3])
  expect(await found('?priority=high')).toEqual([4])
  expect(await found('?subject_type=account&subject_value=b')).toEqual([2])
  const first = await page('?limit=2')
  expect(await found(`?limit=2&cursor=${first.next}`)).toEqual([4])
  await send('PATCH', '/4', { due_at: '2026-11-21T00:00:00.000Z', status: 'in_progress' })
  expect(await found('?overdue=true')).toEqual([4])
  const counts = async () =>
    CaseCounts.parse((await ask({ url: `${URL}/counts`, token: tokens.analyst })).json())
  expect(await counts()).toMatchObject({ open: 3, mine: 2, unassigned: 1, overdue: 1 })

  // A closed case is not opened again beside another one, and nobody's work waits for who is gone.
  await open('account', 'c')
  expect((await send('PATCH', '/3', { status: 'open' })).statusCode).toBe(409)
  await userStore(store.writes).remove(analyst.id)
  expect((await page('?assignee=none', tokens.owner)).data.map(({ number }) => number)).toEqual([4, 1, 2, 5])
})

test('evidence stays as it was, notes mention users, and both are in the timeline', async () => {
  const { open, send, visit, detail, owner } = await shop()
  const request_id = await visit('ann')
  const { number } = await open('account', 'ann', { request_id })
  const note = `Look at this, @${owner.email}. And @nobody@shop.example`
  await send('POST', `/${number}/events`, { note })
  expect((await send('POST', `/${number}/events`, { request_id: randomUUID() })).statusCode).toBe(404)
  expect((await send('POST', `/${number}/events`, { finding: 7 })).statusCode).toBe(404)
  expect((await send('POST', '', { subject: { type: 'finding', value: '7' } })).statusCode).toBe(404)
  expect((await detail(number)).events).toMatchObject([
    { kind: 'note', text: note, mentions: [owner.email], author: owner.email },
    { kind: 'evidence', identification: { request_id, user_hid: 'ann' } },
    { kind: 'opened' },
  ])
})

test('a case goes with its subject, its copies with their visits, and closed ones after the time that visits are kept', async () => {
  const { open, visit, send, page, detail, store, domainId, clock } = await shop()
  const device = randomUUID()
  const ofAnn = await visit('mary-ann', device)
  const ofBob = await visit('bob')
  await open('account', 'mary-ann', { request_id: ofAnn })
  await open('cookie', randomUUID(), { request_id: ofAnn })
  await send('POST', '/2/events', { request_id: ofBob })
  await erase(store, domainId, { type: 'user_hid', value: 'mary-ann' })
  expect((await page()).data.map(({ number }) => number)).toEqual([2])
  expect((await detail(2)).events.map(({ identification }) => identification?.user_hid)).toEqual([
    'bob',
    undefined,
  ])
  expect(JSON.stringify(await store.reads.selectFrom('case_events').selectAll().execute())).not.toContain(
    'mary-ann',
  )

  await send('POST', '/2/decision', { action: 'allow' })
  expect(await removeClosedCases(store, domainId, clock.nowMs, 10)).toBe(0)
  expect(await removeClosedCases(store, domainId, clock.nowMs + 1, 10)).toBe(1)
  expect((await page('?status=closed')).data).toEqual([])
  expect((await open('account', 'cat')).number).toBe(3)
  await removeDomain(store, { id: domainId, name: 'shop.example' }, { nowMs: 1, actor: 'x' })
  expect(await store.reads.selectFrom('cases').select('id').execute()).toEqual([])
})

test.each([
  ['the queue', "status <> 'closed' order by due_at, id", /cases_queue/],
  ['one person’s', "assignee = 'a' and status <> 'closed' order by due_at, id", /cases_assigned/],
  // Either is in order; PostgreSQL sees no difference between the two on a small table.
  ['nobody’s', "assignee is null and status <> 'closed' order by due_at, id", /cases_assigned|cases_queue/],
  ['closed ones', "status = 'closed' order by closed_at desc, id desc", /cases_closed/],
])('%s are read from an index in order', async (_name, condition, index) => {
  const { store } = await accountSurface()
  const isSqlite = store.reads.getExecutor().adapter instanceof SqliteAdapter
  const rows = sql`select * from cases where domain_id = 1 and ${sql.raw(condition)} limit 50`
  const plan = await store.writes.transaction().execute(async (transaction) => {
    // An empty table is read as a whole otherwise.
    if (!isSqlite) await sql`set local enable_seqscan = off`.execute(transaction)
    if (!isSqlite) await sql`set local enable_bitmapscan = off`.execute(transaction)
    const explained = await sql`${sql.raw(isSqlite ? 'explain query plan' : 'explain')} ${rows}`.execute(
      transaction,
    )
    return JSON.stringify(explained.rows)
  })
  expect(plan).toMatch(index)
  expect(plan).not.toMatch(/TEMP B-TREE|Seq Scan|Sort +\(cost/)
})
