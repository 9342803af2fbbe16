import { expect, onTestFinished, test } from 'vitest'
import { temporaryDomain } from '../../../test/temporary-surface.ts'
import { removeOlder } from '../identifications/remove-identifications.ts'
import { dropOldPartitions, makePartitions, nameOfWeek, partitionNames, WEEK_MS } from './partitions.ts'

/** Mondays before the weeks whose partitions exist already. */
const [FIRST, SECOND, THIRD] = [0, 1, 2].map((week) => Date.UTC(2025, 0, 6) + week * WEEK_MS) as [
  number,
  number,
  number,
]

async function weeks() {
  const domain = await temporaryDomain()
  await makePartitions(domain.store.writes, FIRST)
  const remaining = async () => {
    const names = await partitionNames(domain.store.reads)
    return [FIRST, SECOND, THIRD].filter((week) => names.includes(nameOfWeek(week)))
  }
  expect(await remaining()).toEqual([FIRST, SECOND, THIRD])
  return { ...domain, remaining }
}

test('retention drops the partitions of expired weeks and keeps the week of the limit', async () => {
  const { store, record, remaining } = await weeks()
  await record({ atMs: FIRST })
  await record({ atMs: SECOND + 1 })
  await record({ atMs: THIRD - 1 })
  expect(await removeOlder(store, THIRD - 1)).toBe(2)
  expect(await remaining()).toEqual([SECOND, THIRD])
  expect(await removeOlder(store, THIRD)).toBe(1)
  expect(await remaining()).toEqual([THIRD])
  await record({ atMs: FIRST })
  expect(await removeOlder(store, THIRD)).toBe(1)
})

test('a partition with rows is kept, however old', async () => {
  const { store, record, remaining } = await weeks()
  await record({ atMs: SECOND })
  expect(await dropOldPartitions(store.writes, THIRD)).toBe(1)
  expect(await remaining()).toEqual([SECOND, THIRD])
})

test('partitions are kept while a transaction reads them, so that no query has to wait', async () => {
  const { store, remaining } = await weeks()
  const reader = await store.pool?.connect()
  onTestFinished(() => reader?.release())
  await reader?.query('begin; select from identifications')
  expect(await dropOldPartitions(store.writes, THIRD)).toBe(0)
  expect(await remaining()).toEqual([FIRST, SECOND, THIRD])
  await reader?.query('rollback')
  expect(await dropOldPartitions(store.writes, THIRD)).toBe(2)
})
