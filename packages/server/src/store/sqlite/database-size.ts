import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { DATABASE_FILE } from './database-file.ts'

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
