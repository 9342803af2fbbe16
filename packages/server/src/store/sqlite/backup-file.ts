import { open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { AppError } from '../../lib/errors.ts'
import { DATABASE_FILE, hasCode, SECRETS_FILE } from '../data-dir.ts'

/**
 * A backup is a copy of the embedded database in one file. An extra table holds the generated files of the data
 * directory, because the copy is useless without its secrets.
 */

const backupError = (message: string, options?: ErrorOptions) => new AppError('INK_BACKUP', message, options)

/** Called with the number of copied pages and the total. */
export type Progress = (done: number, total: number) => void

/** Generated secrets and keys. Feeds are downloaded again, and other files belong to the operator. */
const GENERATED_FILES: readonly string[] = [SECRETS_FILE, 'demo.json']
const PAGES_PER_STEP = 1_000
const OWNER_ONLY = 0o600

/**
 * Backs up a consistent state of the database while others write to it.
 * @param file must not exist; it is created once the backup is complete
 * @returns the size of the file in bytes
 * @throws AppError `INK_BACKUP`
 */
export async function writeBackup(dataDir: string, file: string, progress: Progress): Promise<number> {
  if (await exists(file)) throw backupError(`${file} exists: a backup overwrites nothing`)
  const source = join(dataDir, DATABASE_FILE)
  if (!(await exists(source))) throw backupError(`there is no database in ${dataDir}`)
  await expectReadable(source)
  const unfinished = `${file}.unfinished`
  await createUnfinished(unfinished)
  try {
    await copyDatabase(source, unfinished, progress)
    const files = await generatedFiles(dataDir)
    change(unfinished, (db) => {
      // Without a write-ahead log the backup can be read from read-only media.
      db.exec('pragma journal_mode = delete')
      db.exec('create table backup_files (name text primary key, body blob not null)')
      const add = db.prepare('insert into backup_files (name, body) values (?, ?)')
      for (const { name, body } of files) add.run(name, body)
    })
    await flush(unfinished)
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
  return (await stat(file)).size
}

/** Creates the file with its final permissions before it receives any data, so that no one else can read it. */
async function createUnfinished(unfinished: string): Promise<void> {
  try {
    await writeFile(unfinished, '', { mode: OWNER_ONLY, flag: 'wx' })
  } catch (cause) {
    if (!(await exists(unfinished))) throw cause
    const hint = 'another backup is running, or was interrupted; in that case remove the file'
    throw backupError(`${unfinished} exists: ${hint}`, { cause })
  }
}

/**
 * Restores a backup.
 * @param dataDir must exist and be empty
 * @throws AppError `INK_BACKUP`
 */
export async function restoreBackup(file: string, dataDir: string, progress: Progress): Promise<void> {
  if ((await readdir(dataDir)).length > 0)
    throw backupError(`${dataDir} is not empty: a backup is restored into an empty directory only`)
  await expectReadable(file)
  const files = readGeneratedFiles(file)
  const unfinished = join(dataDir, `${DATABASE_FILE}.unfinished`)
  try {
    await copyDatabase(file, unfinished, progress)
    change(unfinished, (db) => {
      db.exec('drop table backup_files')
      beginFeedAnew(db)
    })
    for (const { name, body } of files) await writeFile(join(dataDir, name), body, { mode: OWNER_ONLY })
    for (const { name } of files) await flush(join(dataDir, name))
    await flush(unfinished)
    // The database comes last, so that no server starts on an incomplete directory.
    await rename(unfinished, join(dataDir, DATABASE_FILE))
  } catch (error) {
    await Promise.all((await readdir(dataDir)).map((name) => rm(join(dataDir, name), { force: true })))
    throw error
  }
}

/**
 * Has the change feed begin with the oldest row. It will use numbers again that its receivers know from after the backup,
 * so they begin with empty tables.
 */
function beginFeedAnew(db: DatabaseSync): void {
  // Older releases have no feed.
  if (db.prepare("select 1 from sqlite_schema where name = 'change_feed'").get())
    db.exec('update change_feed set identification_id = 0, decision_id = 0')
}

async function copyDatabase(from: string, to: string, progress: Progress): Promise<void> {
  const db = new DatabaseSync(from, { readOnly: true })
  try {
    // A read transaction fixes the state; otherwise each write of another process would restart the backup.
    db.exec('begin')
    db.prepare('select count(*) from sqlite_schema').get()
    await backup(db, to, {
      rate: PAGES_PER_STEP,
      progress: ({ totalPages, remainingPages }) => progress(totalPages - remainingPages, totalPages),
    })
  } catch (cause) {
    throw backupError(`${from} cannot be copied: ${reasonOf(cause)}`, { cause })
  } finally {
    db.close()
  }
  change(to, (copy) => {
    const problem = copy.prepare('pragma quick_check(1)').get()?.quick_check
    if (problem !== 'ok') throw backupError(`the copy of ${from} is damaged: ${problem}`)
  })
}

function change(file: string, run: (db: DatabaseSync) => void): void {
  const db = new DatabaseSync(file)
  try {
    run(db)
  } finally {
    db.close()
  }
}

interface GeneratedFile {
  name: string
  body: Uint8Array
}

async function generatedFiles(dataDir: string): Promise<GeneratedFile[]> {
  const names = (await readdir(dataDir)).filter((name) => GENERATED_FILES.includes(name))
  return Promise.all(names.map(async (name) => ({ name, body: await readFile(join(dataDir, name)) })))
}

function readGeneratedFiles(file: string): GeneratedFile[] {
  const db = openBackup(file)
  try {
    const rows = db.prepare('select name, body from backup_files').all() as unknown as GeneratedFile[]
    // Only known names: a forged backup must not write other files, and old backups contain files of the operator.
    return rows.filter(({ name }) => GENERATED_FILES.includes(name))
  } catch (cause) {
    throw backupError(`${file} is not a backup of Inkling: ${reasonOf(cause)}`, { cause })
  } finally {
    db.close()
  }
}

function openBackup(file: string): DatabaseSync {
  try {
    return new DatabaseSync(file, { readOnly: true })
  } catch (cause) {
    throw backupError(`${file} cannot be opened: ${reasonOf(cause)}`, { cause })
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (cause) {
    if (hasCode(cause, 'ENOENT')) return false
    throw backupError(`${path} cannot be read: ${reasonOf(cause)}`, { cause })
  }
}

/** SQLite says of every file that it cannot open the same, so this finds out why. */
async function expectReadable(file: string): Promise<void> {
  try {
    const handle = await open(file)
    await handle.close()
  } catch (cause) {
    throw backupError(`${file} cannot be read: ${reasonOf(cause)}`, { cause })
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
