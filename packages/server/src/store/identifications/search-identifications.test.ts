import { expect, test } from 'vitest'
import { accountSurface } from '../../../test/account/account-surface.ts'
import { overTor, storeVisit } from '../../../test/account/stored-visits.ts'
import { type Criteria, type Order, type SearchPosition, searchPage } from './search-identifications.ts'

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

  const criteria: Criteria = { lookups: [], equal: { country: 'Iceland' } }
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

test('criteria with an index need one page, however rare the rows are', async () => {
  const surface = await accountSurface()
  await storeVisit(surface, { userHid: 'ada' })
  for (let index = 0; index < 5; index += 1) await storeVisit(surface)
  const { rows, next } = await searchPage(
    surface.store.reads,
    surface.domainId,
    { lookups: [{ column: 'user_hid', value: 'ada' }], equal: {} },
    { by: 'time', direction: 'desc' },
    { after: undefined, limit: 10, scanMax: 1 },
  )
  expect([rows.length, next]).toEqual([1, undefined])
})
