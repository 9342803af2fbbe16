import { open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { DATABASE_FILE, SECRETS_FILE } from '../data-dir.ts'

/**
 * A backup is one file: a copy of the embedded database, and in a table of its own the small files beside it,
 * without whose secrets the copy could not be used.
 */

/** What the operator is told. */
export class BackupError extends Error {
  readonly code = 'INK_BACKUP'
}

/** Pages copied so far, and of how many. */
export type Progress = (done: number, total: number) => void

/** Secrets and keys that were generated. Lists of addresses are fetched anew; other files are the operator's own. */
const GENERATED_FILES: readonly string[] = [SECRETS_FILE, 'demo.json']
const PAGES_PER_STEP = 1_000
const OWNER_ONLY = 0o600

/**
 * Copies the database as it is at one moment, while others write to it.
 * @param file must not exist; it appears when it is complete
 * @returns its size in bytes
 */
export async function writeBackup(dataDir: string, file: string, progress: Progress): Promise<number> {
  if (await exists(file)) throw new BackupError(`${file} exists: a backup overwrites nothing`)
  const source = join(dataDir, DATABASE_FILE)
  if (!(await exists(source))) throw new BackupError(`there is no database in ${dataDir}`)
  const unfinished = `${file}.unfinished`
  await createUnfinished(unfinished)
  try {
    await copyDatabase(source, unfinished, progress)
    const files = await smallFiles(dataDir)
    change(unfinished, (db) => {
      // Of one file, so that it can be read where nothing can be written.
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

/** Before the copy takes its contents in, so that nobody else can read it at any time. */
async function createUnfinished(unfinished: string): Promise<void> {
  try {
    await writeFile(unfinished, '', { mode: OWNER_ONLY, flag: 'wx' })
  } catch (cause) {
    if (!(await exists(unfinished))) throw cause
    const hint = 'another backup is writing it, or was broken off: then remove it'
    throw new BackupError(`${unfinished} exists: ${hint}`, { cause })
  }
}

/**
 * Makes a data directory of a backup.
 * @param dataDir must exist and be empty
 */
export async function restoreBackup(file: string, dataDir: string, progress: Progress): Promise<void> {
  if ((await readdir(dataDir)).length > 0)
    throw new BackupError(`${dataDir} is not empty: a backup is restored into an empty directory only`)
  const files = readSmallFiles(file)
  const unfinished = join(dataDir, `${DATABASE_FILE}.unfinished`)
  try {
    await copyDatabase(file, unfinished, progress)
    change(unfinished, (db) => db.exec('drop table backup_files'))
    for (const { name, body } of files) await writeFile(join(dataDir, name), body, { mode: OWNER_ONLY })
    for (const { name } of files) await flush(join(dataDir, name))
    await flush(unfinished)
    // Last: a directory without a database is none that a server would go on with.
    await rename(unfinished, join(dataDir, DATABASE_FILE))
  } catch (error) {
    await Promise.all((await readdir(dataDir)).map((name) => rm(join(dataDir, name), { force: true })))
    throw error
  }
}

async function copyDatabase(from: string, to: string, progress: Progress): Promise<void> {
  const db = new DatabaseSync(from, { readOnly: true })
  try {
    // One moment for all steps: without it a copy begins anew whenever somebody has written.
    db.exec('begin')
    db.prepare('select count(*) from sqlite_schema').get()
    await backup(db, to, {
      rate: PAGES_PER_STEP,
      progress: ({ totalPages, remainingPages }) => progress(totalPages - remainingPages, totalPages),
    })
  } finally {
    db.close()
  }
  change(to, (copy) => {
    const problem = copy.prepare('pragma quick_check(1)').get()?.quick_check
    if (problem !== 'ok') throw new BackupError(`the copy of ${from} is damaged: ${problem}`)
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

interface SmallFile {
  name: string
  body: Uint8Array
}

async function smallFiles(dataDir: string): Promise<SmallFile[]> {
  const names = (await readdir(dataDir)).filter((name) => GENERATED_FILES.includes(name))
  return Promise.all(names.map(async (name) => ({ name, body: await readFile(join(dataDir, name)) })))
}

function readSmallFiles(file: string): SmallFile[] {
  const db = openBackup(file)
  try {
    const rows = db.prepare('select name, body from backup_files').all() as unknown as SmallFile[]
    // Nothing else: a file of unknown origin must not write elsewhere, and older backups hold the operator's files.
    return rows.filter(({ name }) => GENERATED_FILES.includes(name))
  } catch (cause) {
    throw new BackupError(`${file} is not a backup of Inkling`, { cause })
  } finally {
    db.close()
  }
}

function openBackup(file: string): DatabaseSync {
  try {
    return new DatabaseSync(file, { readOnly: true })
  } catch (cause) {
    throw new BackupError(`${file} cannot be opened`, { cause })
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
