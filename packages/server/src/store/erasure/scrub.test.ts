import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryStore } from '../../../test/temporary-store.ts'
import { openStoreIn } from '../../../test/test-database.ts'
import { DATABASE_FILE } from '../data-dir.ts'
import type { Store } from '../store.ts'
import { erase } from './erase.ts'
import { noteUnscrubbed, scrub, scrubAll } from './scrub.ts'

const unscrubbed = async ({ reads }: Store): Promise<number[]> =>
  (await reads.selectFrom('unscrubbed_domains').select('domain_id').execute()).map((row) => row.domain_id)

test('what an erasure removed is scrubbed by another process, where its own was killed before', async () => {
  const { store, domainId, directory } = await temporaryStore()
  await erase(store, domainId, { type: 'user_hid', value: 'reader-7' })
  expect(await unscrubbed(store)).toEqual([domainId])

  const other = await openStoreIn(directory)
  onTestFinished(() => other.close())
  await scrubAll(other)
  expect(await unscrubbed(other)).toEqual([])
  if (other.engine === 'sqlite') expect((await logOf(directory)).size).toBeLessThan(10_000)
})

test('rows that are removed during a scrub are left to the next one', async () => {
  const { store, domainId } = await temporaryStore()
  const remove = () =>
    store.writes.transaction().execute((transaction) => noteUnscrubbed(transaction, domainId))
  await remove()
  const scrubbing = scrub(store, domainId)
  await Promise.all([scrubbing, remove()])
  expect(await unscrubbed(store)).toEqual([domainId])
  expect(await scrub(store, domainId)).toBe(true)
  expect(await unscrubbed(store)).toEqual([])
})

test('a removal after a scrub is left to the next one, also by a slower scrub that began before', async () => {
  const { store, domainId } = await temporaryStore()
  const remove = () =>
    store.writes.transaction().execute((transaction) => noteUnscrubbed(transaction, domainId))
  await remove()
  await remove()
  const [reading, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const jobReads = store.jobReads.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      reading.resolve()
      await held.promise
      return result
    },
  })
  const slower = scrub({ ...store, jobReads }, domainId)
  await reading.promise
  expect(await scrub(store, domainId)).toBe(true)
  await remove()
  await remove()
  held.resolve()
  await slower
  expect(await unscrubbed(store)).toEqual([domainId])
})

test('a scrub that is stopped leaves the domain to the next one', async () => {
  const { store, domainId } = await temporaryStore()
  await erase(store, domainId, { type: 'user_hid', value: 'reader-7' })
  for (let asked = 0; asked < 4; asked += 1) {
    let left = asked
    expect(await scrub(store, domainId, () => --left < 0)).toBe(false)
    expect(await unscrubbed(store)).toEqual([domainId])
  }
  await scrubAll(store)
  expect(await unscrubbed(store)).toEqual([])
})

const logOf = (directory: string) => stat(join(directory, `${DATABASE_FILE}-wal`))
