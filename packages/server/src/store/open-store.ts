import { mkdir } from 'node:fs/promises'
import { openSqlite } from './sqlite/open-sqlite.ts'
import type { Store } from './store.ts'

/** Opens the database in `dataDir`, which is created when missing, and brings its tables up to date. */
export async function openStore(dataDir: string): Promise<Store> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  return openSqlite(dataDir)
}
