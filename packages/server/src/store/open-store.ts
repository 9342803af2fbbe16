import { mkdir } from 'node:fs/promises'
import type { CommittedBatch } from './group-commit.ts'
import { openPostgres } from './postgres/open-postgres.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'
import type { Store } from './store.ts'

export interface StorePlace {
  /** Holds the embedded database; created when missing. */
  dataDir: string
  /** `postgres://…` of the database to use instead. */
  databaseUrl?: string | undefined
  /** Told of each transaction of the group commit. */
  batchCommitted?: (batch: CommittedBatch) => void
  /** Told of work in the background that failed, and is tried again. */
  warn?: (message: string, error: unknown) => void
}

/** Opens the database and brings its tables up to date. */
export async function openStore({
  dataDir,
  databaseUrl,
  batchCommitted,
  warn = () => {},
}: StorePlace): Promise<Store> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  return databaseUrl === undefined
    ? openSqlite(dataDir, batchCommitted)
    : openPostgres({ url: databaseUrl, dataDir, batchCommitted, warn })
}
