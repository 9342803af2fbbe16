import { mkdir } from 'node:fs/promises'
import type { ObjectStorage } from './cold/object-storage.ts'
import type { CommittedBatch } from './group-commit.ts'
import type { Store } from './store.ts'

export interface StoreOptions {
  /** Directory of the embedded database; created if missing. */
  dataDir: string
  /** `postgres://…`; uses PostgreSQL instead of the embedded database. */
  databaseUrl?: string | undefined
  /** Called after each transaction of the group commit. */
  batchCommitted?: (batch: CommittedBatch) => void
  /** Called when background work fails; it is retried later. */
  warn?: (message: string, error: unknown) => void
  /** Where bodies of old rows are. */
  cold?: ObjectStorage | undefined
}

/** Opens the database and applies pending migrations. Loads only the engine in use, because commands are short. */
export async function openStore({
  dataDir,
  databaseUrl,
  batchCommitted,
  warn = () => {},
  cold,
}: StoreOptions): Promise<Store> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  if (databaseUrl === undefined) {
    const { openSqlite } = await import('./sqlite/open-sqlite.ts')
    return { ...(await openSqlite(dataDir, batchCommitted)), cold }
  }
  const { openPostgres } = await import('./postgres/open-postgres.ts')
  return { ...(await openPostgres({ url: databaseUrl, dataDir, batchCommitted, warn })), cold }
}
