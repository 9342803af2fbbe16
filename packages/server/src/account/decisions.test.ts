import { randomUUID } from 'node:crypto'
import { DecideRequest, type StoredDecision } from '@inkling/contract'
import { DecisionPage } from '@inkling/contract/account'
import { SqliteAdapter, sql } from 'kysely'
import { expect, test } from 'vitest'
import { accountSurface } from '../../test/account/account-surface.ts'
import { registerDomain } from '../auth/register-domain.ts'
import { createAnswers } from '../decide/answer-question.ts'
import { createVisitArrivals } from '../decide/visit-arrivals.ts'
import { listStore } from '../store/lists/list-entries.ts'

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

test.each([
  ['newest', '', 'decisions_id'],
  ['purpose and action', "and purpose = 'signup' and action = 'deny'", 'decisions_kind'],
])('decisions by %s are read from an index in order', async (_name, condition, index) => {
  const { store } = await accountSurface()
  const isSqlite = store.reads.getExecutor().adapter instanceof SqliteAdapter
  const rows = sql`select * from decisions where domain_id = 1 ${sql.raw(condition)} and id < 9
    order by id desc limit 50`
  const plan = await store.writes.transaction().execute(async (transaction) => {
    // An empty table is read as a whole otherwise.
    if (!isSqlite) await sql`set local enable_seqscan = off`.execute(transaction)
    const explained = await sql`${sql.raw(isSqlite ? 'explain query plan' : 'explain')} ${rows}`.execute(
      transaction,
    )
    return JSON.stringify(explained.rows)
  })
  expect(plan).toContain(index)
  expect(plan).not.toMatch(/TEMP B-TREE|Seq Scan|Sort +\(cost/)
})
