import { expect, onTestFinished, test } from 'vitest'
import { temporaryDomain } from '../../../test/temporary-surface.ts'
import { removeOlder } from '../identifications/remove-identifications.ts'
import { dropOldPartitions, makePartitions, nameOfWeek, partitionNames, WEEK_MS } from './partitions.ts'

/** Mondays, long before the weeks that opening makes. */
const [FIRST, SECOND, THIRD] = [0, 1, 2].map((week) => Date.UTC(2025, 0, 6) + week * WEEK_MS) as [
  number,
  number,
  number,
]

async function weeks() {
  const domain = await temporaryDomain()
  await makePartitions(domain.store.writes, FIRST)
  const left = async () => {
    const names = await partitionNames(domain.store.reads)
    return [FIRST, SECOND, THIRD].filter((week) => names.includes(nameOfWeek(week)))
  }
  expect(await left()).toEqual([FIRST, SECOND, THIRD])
  return { ...domain, left }
}

test('weeks whose rows are too old go with them; what began before the limit and ends after it stays', async () => {
  const { store, record, left } = await weeks()
  await record({ atMs: FIRST })
  await record({ atMs: SECOND + 1 })
  await record({ atMs: THIRD - 1 })
  expect(await removeOlder(store, THIRD - 1)).toBe(2)
  expect(await left()).toEqual([SECOND, THIRD])
  expect(await removeOlder(store, THIRD)).toBe(1)
  expect(await left()).toEqual([THIRD])
  await record({ atMs: FIRST })
  expect(await removeOlder(store, THIRD)).toBe(1)
})

test('a week that has rows stays, however old', async () => {
  const { store, record, left } = await weeks()
  await record({ atMs: SECOND })
  expect(await dropOldPartitions(store.writes, THIRD)).toBe(1)
  expect(await left()).toEqual([SECOND, THIRD])
})

test('weeks stay where somebody reads for long: nobody is made to wait', async () => {
  const { store, left } = await weeks()
  const reader = await store.pool?.connect()
  onTestFinished(() => reader?.release())
  await reader?.query('begin; select from identifications')
  expect(await dropOldPartitions(store.writes, THIRD)).toBe(0)
  expect(await left()).toEqual([FIRST, SECOND, THIRD])
  await reader?.query('rollback')
  expect(await dropOldPartitions(store.writes, THIRD)).toBe(2)
})
