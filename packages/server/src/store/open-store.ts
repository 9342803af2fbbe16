import { mkdir } from 'node:fs/promises'
import type { CommittedBatch } from './group-commit.ts'
import { openPostgres } from './postgres/open-postgres.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'
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
}

/** Opens the database and applies pending migrations. */
export async function openStore({
  dataDir,
  databaseUrl,
  batchCommitted,
  warn = () => {},
}: StoreOptions): Promise<Store> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  return databaseUrl === undefined
    ? openSqlite(dataDir, batchCommitted)
    : openPostgres({ url: databaseUrl, dataDir, batchCommitted, warn })
}
