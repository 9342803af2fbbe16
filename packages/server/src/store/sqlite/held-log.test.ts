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
  const unscrubbed = () => store.reads.selectFrom('unscrubbed_domains').selectAll().execute()

  await erase(store, domainId, { type: 'user_hid', value: 'reader-7' })
  await other.reads.connection().execute(async (reader) => {
    await sql`begin`.execute(reader)
    await sql`select count(*) from domains`.execute(reader)
    await store.writes.updateTable('domains').set({ remaining: 7 }).execute()
    expect(await scrub(store, domainId)).toBe(false)
    await sql`commit`.execute(reader)
  })
  expect(await unscrubbed()).toHaveLength(1)
  await scrubAll(store)
  expect(await unscrubbed()).toEqual([])
})
