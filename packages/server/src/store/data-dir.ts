import { link, readdir, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SecretsKeeper } from './store.ts'

export const SECRETS_FILE = 'secrets.json'
const OWNER_ONLY = 0o600

/** Generated secrets in a file beside the database: it is linked into place whole, and the first one wins. */
export function secretsFile(dataDir: string): SecretsKeeper {
  const file = join(dataDir, SECRETS_FILE)
  return {
    read: () => readFile(file, 'utf8').catch(absent),
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

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

function absent(error: unknown): undefined {
  if (!hasCode(error, 'ENOENT')) throw error
}

/** The embedded database's name in the data directory. */
export const DATABASE_FILE = 'inkling.db'

/** Bytes that the database's files take, its log included, and bytes that are left on their disk. */
export async function databaseSize(dataDir: string): Promise<{ bytes: number; freeBytes: number }> {
  const names = (await readdir(dataDir)).filter((name) => name.startsWith(DATABASE_FILE))
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(dataDir, name)).then(
        ({ size }) => size,
        // The log goes away when the last one closes the database.
        () => 0,
      ),
    ),
  )
  const disk = await statfs(dataDir)
  return { bytes: sizes.reduce((sum, size) => sum + size, 0), freeBytes: disk.bavail * disk.bsize }
}
