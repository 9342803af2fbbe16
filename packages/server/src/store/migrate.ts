import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Schema } from './schema.ts'

/** PostgreSQL's code and SQLite's message for a table that does not exist. */
const UNDEFINED_TABLE = '42P01'
const NO_SUCH_TABLE = /no such table/

/**
 * Applies the migrations that a database has not recorded yet. Concurrent processes apply each of them once.
 * @param migrations by the name under which databases record them
 */
export async function migrate(db: Kysely<Schema>, migrations: Record<string, Migration>): Promise<void> {
  // The migrator reads the whole catalogue and takes a lock, which would delay each start of a command.
  if (await isUpToDate(db, migrations)) return
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw new Error('the database could not be brought up to date', { cause: error })
}

async function isUpToDate(db: Kysely<Schema>, migrations: Record<string, Migration>): Promise<boolean> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
    const applied = new Set(rows.map(({ name }) => name))
    return Object.keys(migrations).every((name) => applied.has(name))
  } catch (error) {
    if (error instanceof Error && isMissingTable(error)) return false
    throw error
  }
}

const isMissingTable = (error: Error): boolean =>
  ('code' in error && error.code === UNDEFINED_TABLE) || NO_SUCH_TABLE.test(error.message)
