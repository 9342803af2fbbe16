import { SqliteAdapter, sql } from 'kysely'
import { expect, test } from 'vitest'
import { accountSurface } from '../../../test/account/account-surface.ts'
import { directFrom, leaking, overTor, storeVisit } from '../../../test/account/stored-visits.ts'
import { ipv4ToNumber } from '../../lib/address.ts'
import type { IdentificationRow } from './identifications.ts'
import type { Criteria } from './search-criteria.ts'
import { searchPage } from './search-identifications.ts'
import type { Order, SearchPosition } from './search-order.ts'

test.each([
  ['time', 'desc'],
  ['time', 'asc'],
  ['score', 'desc'],
  ['score', 'asc'],
] as const)('by %s %s, rare rows are found over several pages, each of them once', async (by, direction) => {
  const surface = await accountSurface()
  const rare = new Set<string>()
  for (let index = 0; index < 23; index += 1) {
    const isRare = index === 4 || index === 17
    const given = { atMs: surface.clock.nowMs + index, ...(index % 3 === 0 ? overTor() : {}) }
    const { requestId } = await storeVisit(surface, { ...given, ...(isRare && { userHid: 'ada' }) })
    if (isRare) rare.add(requestId)
  }
  await surface.store.writes
    .updateTable('identifications')
    .set({ country: 'Iceland' })
    .where('user_hid', '=', 'ada')
    .execute()

  const criteria: Criteria = { lookups: [], columns: { country: { any: ['Iceland'] } } }
  const order: Order = { by, direction }
  const found: string[] = []
  let after: SearchPosition | undefined
  let pages = 0
  do {
    const bounds = { after, limit: 10, scanMax: 5 }
    const { rows, next } = await searchPage(surface.store.reads, surface.domainId, criteria, order, bounds)
    found.push(...rows.map(({ request_id }) => request_id?.toHex() ?? ''))
    after = next
    pages += 1
  } while (after)
  expect(found.toSorted()).toEqual([...rare].map((id) => id.replaceAll('-', '')).toSorted())
  expect(pages).toBe(5)
})

test.each([
  ['time', 'desc'],
  ['time', 'asc'],
  ['score', 'desc'],
  ['score', 'asc'],
] as const)(
  'by %s %s, the visits behind a local address are in order, each of them once',
  async (by, direction) => {
    const surface = await accountSurface()
    const address = '91.0.0.7'
    const behind: string[] = []
    for (let index = 0; index < 20; index += 1) {
      // One leaks it, one comes from it, one comes from it with another address behind it, one is a stranger's.
      const given = [leaking(address), directFrom(address), { ...leaking('91.0.0.9'), address }, {}][
        index % 4
      ]
      const visit = { atMs: surface.clock.nowMs + index, ...(index % 3 === 0 ? overTor() : {}), ...given }
      const { requestId } = await storeVisit(surface, visit)
      if (index % 4 < 2) behind.push(requestId.replaceAll('-', ''))
    }
    const criteria: Criteria = { lookups: [], localIp: ipv4ToNumber(address) }
    const rows: IdentificationRow[] = []
    let after: SearchPosition | undefined
    do {
      const bounds = { after, limit: 3, scanMax: 4 }
      const page = await searchPage(
        surface.store.reads,
        surface.domainId,
        criteria,
        { by, direction },
        bounds,
      )
      rows.push(...page.rows)
      after = page.next
    } while (after)
    const sign = direction === 'asc' ? 1 : -1
    const sorted = rows.toSorted(
      (a, b) =>
        sign *
        (by === 'score' ? a.score - b.score || a.created_at - b.created_at : a.created_at - b.created_at),
    )
    expect(rows).toEqual(sorted)
    expect(rows.map(({ request_id }) => request_id?.toHex() ?? '').toSorted()).toEqual(behind.toSorted())
  },
)

test('criteria with an index need one page, however rare the rows are', async () => {
  const surface = await accountSurface()
  await storeVisit(surface, { userHid: 'ada' })
  for (let index = 0; index < 5; index += 1) await storeVisit(surface)
  const { rows, next } = await searchPage(
    surface.store.reads,
    surface.domainId,
    { lookups: [{ column: 'user_hid', value: 'ada' }] },
    { by: 'time', direction: 'desc' },
    { after: undefined, limit: 10, scanMax: 1 },
  )
  expect([rows.length, next]).toEqual([1, undefined])
})

const AGENT = { standing: 'verified', name: 'Brew Buyer', claims: [] } as const

test.each(['time', 'score'] as const)(
  'by %s, the few visits of declared agents are found in one page, however many others there are',
  async (by) => {
    const surface = await accountSurface()
    await storeVisit(surface, { agent: AGENT })
    await storeVisit(surface, { agent: { ...AGENT, standing: 'unknown' } })
    for (let index = 0; index < 5; index += 1) await storeVisit(surface)
    const { rows, next } = await searchPage(
      surface.store.reads,
      surface.domainId,
      { lookups: [], isAgent: true, columns: { agent_identity: { any: ['verified'] } } },
      { by, direction: 'desc' },
      { after: undefined, limit: 10, scanMax: 3 },
    )
    expect(rows.map(({ agent }) => agent)).toEqual(['Brew Buyer'])
    expect(next).toBeUndefined()
  },
)

test.each([
  ['time', 'created_at desc, id desc'],
  ['score', 'score desc, created_at desc, id desc'],
])('an index has the visits of agents alone, in the order of %s', async (by, order) => {
  const { store } = await accountSurface()
  const isSqlite = store.reads.getExecutor().adapter instanceof SqliteAdapter
  const rows = sql`select * from identifications where domain_id = 1 and agent_identity is not null
    order by ${sql.raw(order)} limit 50`
  const plan = await store.writes.transaction().execute(async (transaction) => {
    // An empty table is read as a whole otherwise.
    if (!isSqlite) await sql`set local enable_seqscan = off`.execute(transaction)
    const explained = await sql`${sql.raw(isSqlite ? 'explain query plan' : 'explain')} ${rows}`.execute(
      transaction,
    )
    return JSON.stringify(explained.rows)
  })
  // A partition's index has no name of ours; that it has these rows alone shows in that they need no filter.
  expect(plan).toMatch(isSqlite ? `USING INDEX identifications_agent_${by} ` : 'Index Scan')
  expect(plan).not.toMatch(/TEMP B-TREE|Filter|Seq Scan|Sort +\(cost/)
})
