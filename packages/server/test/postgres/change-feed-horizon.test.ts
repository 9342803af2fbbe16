import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { commitHorizon } from '../../src/store/change-feed/commit-horizon.ts'
import { LOCKS } from '../../src/store/postgres/locks.ts'
import { storeVisit } from '../account/stored-visits.ts'
import { temporaryStore } from '../temporary-store.ts'
import { databaseSettings } from '../test-database.ts'

test('the feed passes no row while a commit runs that may have a lower number', async () => {
  const { store, domainId, directory } = await temporaryStore()
  const { DATABASE_URL } = await databaseSettings(directory)
  const slow = new Client({ connectionString: DATABASE_URL ?? '' })
  await slow.connect()
  onTestFinished(() => slow.end())
  // As a commit does that took its numbers and waits for a lock.
  await slow.query(`begin; select pg_advisory_xact_lock_shared(${LOCKS.commits})`)
  await storeVisit({ store, domainId, clock: { nowMs: Date.UTC(2026, 0) } })
  const impatient = { patienceMs: 0, pause: () => Promise.resolve() }
  expect(await commitHorizon(store, impatient)).toBeUndefined()

  let asked = 0
  const horizon = await commitHorizon(store, {
    patienceMs: 60_000,
    async pause() {
      asked += 1
      await slow.query('commit')
    },
  })
  expect(asked).toBe(1)
  expect(horizon?.identification).toBeGreaterThan(0)
})

test('the feed passes no row while a worker has yet to end a commit', async () => {
  const { store } = await temporaryStore()
  const patient = { patienceMs: 60_000, pause: () => Promise.resolve() }
  // A commit that has just ended on the coordinator counts as well.
  const asked: number[] = []
  const areCommitsEnded = async (agoMs: number) => {
    asked.push(agoMs)
    return false
  }
  expect(await commitHorizon({ ...store, areCommitsEnded }, patient)).toBeUndefined()
  expect(asked).toEqual([0])
  expect(await commitHorizon(store, patient)).toBeDefined()
})
