import { describe, expect, test } from 'vitest'
import { type TestDomain, temporaryDomain } from '../../../test/temporary-surface.ts'
import { type IdRange, inRange, nextIdRange } from './id-range.ts'

const NOW = Date.UTC(2026, 10, 21, 9, 30)
const options = { nowMs: NOW, settledAfterMs: 80_000, limit: 4 }

/** @returns the numbers of the stored visits */
async function visitsAt({ record, store }: TestDomain, ...ages: number[]): Promise<number[]> {
  for (const ageMs of ages) await record({ atMs: NOW - ageMs })
  const rows = await store.reads.selectFrom('identifications').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

async function idsIn({ store }: TestDomain, range: IdRange | undefined): Promise<number[]> {
  if (!range) return []
  const rows = await store.reads
    .selectFrom('identifications')
    .select('id')
    .where(inRange(store.reads, range))
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

async function remove({ store }: TestDomain, ids: readonly number[]): Promise<void> {
  await store.writes.deleteFrom('identifications').where('id', 'in', ids).execute()
}

describe('ranges of identifications', () => {
  test('follow each other until all have been in one', async () => {
    const domain = await temporaryDomain()
    const ids = await visitsAt(domain, 900_000, 100_000, 500_000, 300_000, 200_000, 400_000)
    const first = await nextIdRange(domain.store, 0, options)
    expect(await idsIn(domain, first)).toEqual(ids.slice(0, 4))
    const second = await nextIdRange(domain.store, first?.through ?? 0, options)
    expect(await idsIn(domain, second)).toEqual(ids.slice(4))
    expect(second).toMatchObject({ count: 2, isLast: true })
    expect(await nextIdRange(domain.store, second?.through ?? 0, options)).toBeUndefined()
  })

  test('end before the first visit that late evidence may still change, whatever comes after it', async () => {
    const domain = await temporaryDomain()
    const ids = await visitsAt(domain, 900_000, 10_000, 500_000)
    const range = await nextIdRange(domain.store, 0, options)
    expect(await idsIn(domain, range)).toEqual(ids.slice(0, 1))
    expect(range?.isLast).toBe(true)
    expect(await nextIdRange(domain.store, range?.through ?? 0, options)).toBeUndefined()
  })

  test('continue behind numbers that no visit has any more', async () => {
    const domain = await temporaryDomain()
    const ids = await visitsAt(domain, ...Array.from({ length: 12 }, () => 900_000))
    await remove(domain, ids.slice(1, 11))
    const first = await nextIdRange(domain.store, 0, options)
    expect(await idsIn(domain, first)).toEqual(ids.slice(0, 1))
    const second = await nextIdRange(domain.store, first?.through ?? 0, options)
    expect(await idsIn(domain, second)).toEqual(ids.slice(11))
    await remove(domain, ids.slice(11))
    expect(await nextIdRange(domain.store, first?.through ?? 0, options)).toBeUndefined()
  })

  test('go no further than they are told', async () => {
    const domain = await temporaryDomain()
    const ids = await visitsAt(domain, 900_000, 900_000, 900_000)
    const range = await nextIdRange(domain.store, 0, { ...options, through: ids[1] ?? 0 })
    expect(await idsIn(domain, range)).toEqual(ids.slice(0, 2))
    expect(await nextIdRange(domain.store, ids[1] ?? 0, { ...options, through: ids[1] ?? 0 })).toBeUndefined()
  })

  test('wait for a commit that a worker has yet to end', async () => {
    const domain = await temporaryDomain()
    await visitsAt(domain, 900_000)
    const store = { ...domain.store, areCommitsEnded: () => Promise.resolve(false) }
    expect(await nextIdRange(store, 0, options)).toBeUndefined()
    expect(await nextIdRange(domain.store, 0, options)).toBeDefined()
  })
})
