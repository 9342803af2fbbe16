import { expect, test } from 'vitest'
import { accountSurface } from '../../../test/account/account-surface.ts'
import { storeVisit } from '../../../test/account/stored-visits.ts'
import { identificationStore } from './identifications.ts'
import { lookupOf } from './lookup.ts'

const ROWS = 1_200
const BATCH = 50

test('a page at any depth has the rows of the whole order, and the exact total', async () => {
  const surface = await accountSurface()
  const { store, domainId } = surface
  await storeVisit(surface, { userHid: 'ada' })
  const first = await store.reads.selectFrom('identifications').selectAll().executeTakeFirstOrThrow()
  const { id: _assigned, ...row } = first
  for (let start = 1; start < ROWS; start += BATCH)
    await store.writes
      .insertInto('identifications')
      .values(
        Array.from({ length: Math.min(BATCH, ROWS - start) }, (_, index) => ({
          ...row,
          request_id: null,
          // Several rows of a time, not in the order of their numbers.
          created_at: row.created_at + (((start + index) * 7) % 400),
        })),
      )
      .execute()
  const all = await store.reads
    .selectFrom('identifications')
    .select(['id', 'created_at'])
    .where('domain_id', '=', domainId)
    .execute()
  const order = all.toSorted((a, b) => b.created_at - a.created_at || b.id - a.id).map(({ id }) => id)
  expect(order).toHaveLength(ROWS)

  const identifications = identificationStore(store.reads)
  for (const lookup of [undefined, lookupOf('user_hid', 'ada')])
    for (const offset of [0, 499, 500, 501, 503, 599, 600, 650, 1_100, 1_181, 1_195, 1_199, 1_200, 5_000]) {
      const { rows, total } = await identifications.search(domainId, lookup, 20, offset)
      expect([offset, total, rows.map(({ id }) => id)]).toEqual([
        offset,
        ROWS,
        order.slice(offset, offset + 20),
      ])
    }
  const [deep] = (await identifications.search(domainId, undefined, 1, 1_000)).rows
  expect(Object.keys(deep ?? {}).toSorted()).toEqual(Object.keys(first).toSorted())
})
