import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../../test/temporary-store.ts'
import { DATABASE_FILE, SECRETS_FILE } from '../data-dir.ts'
import { restoreBackup, writeBackup } from './backup-file.ts'

const quiet = () => {}

async function dataDirectory(): Promise<string> {
  const directory = await temporaryDirectory()
  new DatabaseSync(join(directory, DATABASE_FILE)).close()
  const names = [SECRETS_FILE, 'demo.json', 'feeds.local.json', 'notes.json']
  await Promise.all(names.map((name) => writeFile(join(directory, name), `of ${name}`)))
  return directory
}

test('a backup contains only generated files, and can be restored', async () => {
  const [folder, restored] = [await temporaryDirectory(), await temporaryDirectory()]
  const file = join(folder, 'inkling.backup')
  await writeBackup(await dataDirectory(), file, quiet)
  await restoreBackup(file, restored, quiet)
  expect((await readdir(restored)).sort()).toEqual(['demo.json', DATABASE_FILE, SECRETS_FILE])
  for (const name of ['demo.json', SECRETS_FILE])
    expect(await readFile(join(restored, name), 'utf8')).toBe(`of ${name}`)
})

test('a restore skips unknown files in the backup', async () => {
  const [folder, restored] = [await temporaryDirectory(), await temporaryDirectory()]
  const file = join(folder, 'inkling.backup')
  await writeBackup(await dataDirectory(), file, quiet)
  const db = new DatabaseSync(file)
  db.exec("insert into backup_files (name, body) values ('../outside.json', x'31'), ('notes.json', x'31')")
  db.close()
  await restoreBackup(file, restored, quiet)
  expect((await readdir(restored)).sort()).toEqual(['demo.json', DATABASE_FILE, SECRETS_FILE])
})

test('a backup keeps the unfinished file of another one and names it', async () => {
  const folder = await temporaryDirectory()
  const file = join(folder, 'inkling.backup')
  await writeFile(`${file}.unfinished`, 'of another backup')
  await expect(writeBackup(await dataDirectory(), file, quiet)).rejects.toThrow(
    'inkling.backup.unfinished exists',
  )
  expect(await readFile(`${file}.unfinished`, 'utf8')).toBe('of another backup')
})

test('a change feed begins anew after a restore, because its numbers come again', async () => {
  const [folder, restored, dataDir] = await Promise.all([
    temporaryDirectory(),
    temporaryDirectory(),
    dataDirectory(),
  ])
  const db = new DatabaseSync(join(dataDir, DATABASE_FILE))
  db.exec(
    'create table change_feed (id integer, identification_id integer, decision_id integer, sequence integer)',
  )
  db.exec('insert into change_feed values (1, 20, 3, 100000)')
  db.close()
  const file = join(folder, 'inkling.backup')
  await writeBackup(dataDir, file, quiet)
  await restoreBackup(file, restored, quiet)
  const again = new DatabaseSync(join(restored, DATABASE_FILE), { readOnly: true })
  const position = { ...again.prepare('select * from change_feed').get() }
  again.close()
  expect(position).toEqual({ id: 1, identification_id: 0, decision_id: 0, sequence: 100_000 })
})

/** A link to itself can be read by nobody, not even by root, as whom tests may run. */
async function unreadable(): Promise<string> {
  const path = join(await temporaryDirectory(), 'itself')
  await symlink(path, path)
  return path
}

test('a database that cannot be read is not called missing', async () => {
  const file = join(await temporaryDirectory(), 'inkling.backup')
  await expect(writeBackup(await unreadable(), file, quiet)).rejects.toMatchObject({
    code: 'INK_BACKUP',
    message: expect.stringMatching(/inkling\.db cannot be read: ELOOP/),
  })
  const notADatabase = await temporaryDirectory()
  await writeFile(join(notADatabase, DATABASE_FILE), 'notes, '.repeat(1_000))
  await expect(writeBackup(notADatabase, file, quiet)).rejects.toMatchObject({
    code: 'INK_BACKUP',
    message: expect.stringMatching(/inkling\.db cannot be copied: file is not a database/),
  })
})

test('a backup that cannot be opened is refused with the cause', async () => {
  const folder = await temporaryDirectory()
  const [notes, directory] = [join(folder, 'notes.txt'), join(folder, 'directory')]
  await writeFile(notes, 'notes, '.repeat(1_000))
  await mkdir(directory)
  for (const [file, cause] of [
    [join(folder, 'missing'), /missing cannot be read: ENOENT/],
    [await unreadable(), /itself cannot be read: ELOOP/],
    [directory, /directory cannot be opened: /],
    [notes, /notes\.txt is not a backup of Inkling: file is not a database/],
    [join(await dataDirectory(), DATABASE_FILE), /is not a backup of Inkling: no such table: backup_files/],
  ] as const)
    await expect(restoreBackup(file, await temporaryDirectory(), quiet)).rejects.toMatchObject({
      code: 'INK_BACKUP',
      message: expect.stringMatching(cause),
    })
})
