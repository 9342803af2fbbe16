import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { runCli } from '../../test/run-cli.ts'
import { temporaryDirectory } from '../../test/temporary-store.ts'
import { DATABASE_FILE } from './data-dir.ts'
import { openStore } from './open-store.ts'

test('the embedded database of a newer release is not opened, and stays as it is', async () => {
  const dataDir = await temporaryDirectory()
  await (await openStore({ dataDir })).close()
  const db = new DatabaseSync(join(dataDir, DATABASE_FILE))
  db.exec(`insert into kysely_migration values ('9999-later', '2030-01-01T00:00:00.000Z')`)

  await expect(openStore({ dataDir })).rejects.toThrow('a newer release has changed this database')
  // The process ends: no thread of the database is left open.
  expect((await runCli(['domain', 'list'], { DATA_DIR: dataDir })).status).toBe(1)
  db.exec(`delete from kysely_migration where name = '9999-later'`)
  db.close()
  await (await openStore({ dataDir })).close()
})
