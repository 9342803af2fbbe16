import { Client } from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { urlOn } from '../../../test/postgres/citus-database.ts'
import { temporaryStore } from '../../../test/temporary-store.ts'
import { databaseSettings } from '../../../test/test-database.ts'
import { watchEndedCommits } from './ended-commits.ts'

/** Workers that answer these one after the other, and the last one for ever. */
function workers(...answers: (readonly string[] | undefined)[]) {
  let asked = 0
  return {
    asked: () => asked,
    unended: async () => {
      const names = answers[Math.min(asked, answers.length - 1)]
      asked += 1
      return names && new Set(names)
    },
  }
}

test('commits that end while others follow them hold up nobody', async () => {
  expect(await watchEndedCommits(workers([]))(0)).toBe(true)
  expect(await watchEndedCommits(workers(['a', 'b'], ['b', 'c'], ['c', 'd']))(0)).toBe(true)
})

test('a commit that does not end is waited for, and so is a worker that does not answer', async () => {
  expect(await watchEndedCommits(workers(['a'], ['a', 'b']))(0)).toBe(false)
  expect(await watchEndedCommits(workers(undefined))(0)).toBe(false)
  expect(await watchEndedCommits(workers(['a'], undefined))(0)).toBe(false)
})

test('jobs share an answer for as long as they allow', async () => {
  const some = workers([])
  const areEnded = watchEndedCommits(some)
  await areEnded(60_000)
  await areEnded(60_000)
  expect(some.asked()).toBe(1)
  await areEnded(0)
  expect(some.asked()).toBe(2)
})

const { adminUrl = '', workers: [worker] = [] } = inject('testPostgres') ?? {}

test.runIf(worker)('a worker that has prepared a commit is noticed until it has ended it', async () => {
  if (!worker) return
  const { store, directory } = await temporaryStore()
  const { DATABASE_URL = '' } = await databaseSettings(directory)
  const database = new URL(DATABASE_URL).pathname.slice(1)
  const client = new Client({ connectionString: urlOn(adminUrl, worker, database) })
  await client.connect()
  onTestFinished(() => client.end())
  expect(await store.areCommitsEnded(0)).toBe(true)
  // As Citus names them, of a machine that this cluster does not have.
  await client.query("begin; create table prepared (id int); prepare transaction 'citus_99_1_1_1'")
  expect(await store.areCommitsEnded(0)).toBe(false)
  await client.query("rollback prepared 'citus_99_1_1_1'")
  expect(await store.areCommitsEnded(0)).toBe(true)
})
