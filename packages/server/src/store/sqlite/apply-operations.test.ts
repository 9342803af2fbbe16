import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../../../test/temporary-store.ts'
import { openStore } from '../open-store.ts'
import { createWriter } from './apply-operations.ts'

test('a batch that finds the database locked fails as a whole, without waiting for the lock again for each operation', async () => {
  const dataDir = await temporaryDirectory()
  await (await openStore({ dataDir })).close()
  const file = join(dataDir, 'inkling.db')
  const [own, other] = [new DatabaseSync(file, { timeout: 0 }), new DatabaseSync(file)]
  onTestFinished(() => {
    own.close()
    other.close()
  })
  const { apply } = createWriter(own)
  const batch = [{ type: 'listing' }, { type: 'listing' }] as const
  other.exec('begin immediate')
  expect(() => apply(batch)).toThrow('database is locked')
  other.exec('rollback')
  expect(apply(batch).map(({ type }) => type)).toEqual(['listed', 'listed'])
})
