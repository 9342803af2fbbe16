import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { AppError } from '../lib/errors.ts'
import type { Schema } from './schema.ts'

/** PostgreSQL's code and SQLite's message for a table that does not exist. */
const UNDEFINED_TABLE = '42P01'
const NO_SUCH_TABLE = /no such table/

interface MigrateOptions {
  /** Whether to accept a database that a newer release has migrated. */
  acceptsNewer?: boolean
}

/**
 * Applies the migrations that a database has not recorded yet. Concurrent processes apply each of them once.
 * @param migrations by the name under which databases record them
 * @throws Error when a migration fails, and AppError `INK_DATA_DIR` for a newer database unless that is accepted
 */
export async function migrate(
  db: Kysely<Schema>,
  migrations: Record<string, Migration>,
  { acceptsNewer = false }: MigrateOptions = {},
): Promise<void> {
  const applied = await appliedMigrations(db)
  const names = Object.keys(migrations)
  const isNewer = applied.some((name) => !names.includes(name))
  // The migrator reads the whole catalogue and takes a lock, which would delay each start of a command.
  if (isNewer && !acceptsNewer)
    throw new AppError(
      'INK_DATA_DIR',
      'a newer release has changed this database; start that release, or restore a backup from before',
    )
  if (names.every((name) => applied.includes(name))) return
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } })
  const { error } = await migrator.migrateToLatest()
  if (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`the database could not be brought up to date: ${reason}`, { cause: error })
  }
}

/** The names of the recorded migrations; none for a new database. */
async function appliedMigrations(db: Kysely<Schema>): Promise<string[]> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
    return rows.map(({ name }) => name)
  } catch (error) {
    if (error instanceof Error && isMissingTable(error)) return []
    throw error
  }
}

const isMissingTable = (error: Error): boolean =>
  ('code' in error && error.code === UNDEFINED_TABLE) || NO_SUCH_TABLE.test(error.message)
