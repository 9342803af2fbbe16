import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryStore } from '../../../test/temporary-store.ts'
import { openStoreIn } from '../../../test/test-database.ts'
import { erase } from '../erasure/erase.ts'
import { scrub, scrubAll } from '../erasure/scrub.ts'

test('erased pages that a reader keeps in the log are scrubbed once it has ended', async () => {
  const { store, domainId, directory } = await temporaryStore()
  const other = await openStoreIn(directory)
  onTestFinished(() => other.close())
  let readings = 0
  const jobReads = store.jobReads.withPlugin({
    transformQuery({ node }) {
      readings += 1
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const unscrubbed = () => store.reads.selectFrom('unscrubbed_domains').selectAll().execute()

  await erase(store, domainId, { type: 'user_hid', value: 'reader-7' })
  await other.reads.connection().execute(async (reader) => {
    await sql`begin`.execute(reader)
    await sql`select count(*) from domains`.execute(reader)
    await store.writes.updateTable('domains').set({ remaining: 7 }).execute()
    expect(await scrub({ ...store, jobReads }, domainId)).toBe(false)
    expect(readings).toBeGreaterThan(0)
    readings = 0
    expect(await scrub({ ...store, jobReads }, domainId)).toBe(false)
    // The keys of the domain, which may be millions, are not read again.
    expect(readings).toBe(0)
    await sql`commit`.execute(reader)
  })
  expect(await unscrubbed()).toHaveLength(1)
  await scrubAll(store)
  expect(await unscrubbed()).toEqual([])
})

test('two processes may overwrite the free pages at once', async () => {
  const { store, domainId, directory } = await temporaryStore()
  const other = await openStoreIn(directory)
  onTestFinished(() => other.close())
  const { writes } = store
  await sql`create table once (body blob)`.execute(writes)
  for (let row = 0; row < 8; row += 1) await sql`insert into once values (zeroblob(1048576))`.execute(writes)
  await sql`drop table once`.execute(writes)
  await erase(store, domainId, { type: 'user_hid', value: 'reader-7' })
  await writes
    .insertInto('installation')
    .values({ id: 1, secrets_hash: new Uint8Array(32) })
    .execute()

  await Promise.all([scrub(store, domainId), scrub(other, domainId)])
  expect(await store.reads.selectFrom('installation').select('free_pages_overwritten').execute()).toEqual([
    { free_pages_overwritten: 1 },
  ])
  const { rows } = await sql`select 1 from sqlite_schema where name = 'free_pages'`.execute(store.reads)
  expect(rows).toEqual([])
})
