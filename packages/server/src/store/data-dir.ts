import { existsSync } from 'node:fs'
import { chmod, link, readdir, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { AppError } from '../lib/errors.ts'
import type { SecretsKeeper } from './store.ts'

/** The store's files in the data directory. */
export const DATABASE_FILE = 'inkling.db'
export const SECRETS_FILE = 'secrets.json'

const OWNER_ONLY = 0o600

/**
 * Keeps a command from making a data directory: the name may be mistyped, or relative to another folder.
 * @throws AppError `INK_COMMAND` when it does not exist
 */
export function expectDataDir(dataDir: string): void {
  if (!existsSync(dataDir))
    throw new AppError(
      'INK_COMMAND',
      `${resolve(dataDir)} does not exist; correct DATA_DIR, or start the server, which makes it`,
    )
}

/** Keeps the generated secrets in a file. It is linked into place complete, so of two processes the first one wins. */
export function secretsFile(dataDir: string): SecretsKeeper {
  const file = join(dataDir, SECRETS_FILE)
  return {
    async read() {
      try {
        return await readFile(file, 'utf8')
      } catch (error) {
        if (hasCode(error, 'ENOENT')) return undefined
        throw error
      }
    },
    async add(text) {
      const draft = `${file}.${process.pid}`
      await writeFile(draft, text, { mode: OWNER_ONLY })
      try {
        await link(draft, file)
      } catch (error) {
        if (!hasCode(error, 'EEXIST')) throw error
      } finally {
        await rm(draft, { force: true })
      }
    },
  }
}

/** Whether an error of the system has this code, such as `ENOENT`. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

/** Size of the embedded database with its write-ahead log, and the free space on its disk, in bytes. */
export async function databaseSize(dataDir: string): Promise<{ bytes: number; freeBytes: number }> {
  const names = (await readdir(dataDir)).filter((name) => name.startsWith(DATABASE_FILE))
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(dataDir, name)).then(
        ({ size }) => size,
        // SQLite removes the log when the last connection closes.
        () => 0,
      ),
    ),
  )
  const disk = await statfs(dataDir)
  return { bytes: sizes.reduce((sum, size) => sum + size, 0), freeBytes: disk.bavail * disk.bsize }
}

/** Takes the files of a data directory from other users of the machine, whoever made them and with whatever mask. */
export async function keepPrivate(dataDir: string): Promise<void> {
  for (const entry of await readdir(dataDir, { withFileTypes: true }))
    if (entry.isFile()) await chmod(join(dataDir, entry.name), OWNER_ONLY)
}

const LOCK_FILE = 'server.lock'

/**
 * Makes this process the only server of a data directory; commands do not take this lock. It is SQLite's own lock on an
 * empty file, which the system releases however the process ends (https://www.sqlite.org/lockingv3.html).
 * @param dataDir must exist
 * @throws AppError `INK_COMMAND` when another server has it
 */
export function lockDataDir(dataDir: string): { release(): void } {
  const lock = new DatabaseSync(join(dataDir, LOCK_FILE), { timeout: 0 })
  try {
    lock.exec('begin exclusive')
  } catch (cause) {
    lock.close()
    if (!isBusy(cause)) throw cause
    throw new AppError(
      'INK_COMMAND',
      `another server is running on ${resolve(dataDir)}; stop it first, or give this one its own DATA_DIR`,
      { cause },
    )
  }
  return { release: () => lock.close() }
}

/** Whether a server has the data directory. */
export function isServed(dataDir: string): boolean {
  if (!existsSync(join(dataDir, LOCK_FILE))) return false
  try {
    lockDataDir(dataDir).release()
    return false
  } catch (error) {
    if (error instanceof AppError) return true
    throw error
  }
}

const SQLITE_BUSY = 5
const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
