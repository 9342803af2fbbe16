import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Schema } from '../schema.ts'
import * as initial from './migrations/0001-initial.ts'
import * as newestUnlistedKeys from './migrations/0002-newest-unlisted-keys.ts'

const MIGRATIONS: Record<string, Migration> = {
  '0001-initial': initial,
  '0002-newest-unlisted-keys': newestUnlistedKeys,
}
const UNDEFINED_TABLE = '42P01'

/** Brings the tables up to date; doing it twice, or from two nodes at once, does it once. */
export async function migrate(db: Kysely<Schema>): Promise<void> {
  // The migrator reads the whole catalogue and takes a lock, which each command would wait for.
  if (await isUpToDate(db)) return
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(MIGRATIONS) } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw new Error('the database could not be brought up to date', { cause: error })
}

async function isUpToDate(db: Kysely<Schema>): Promise<boolean> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
    const done = new Set(rows.map(({ name }) => name))
    return Object.keys(MIGRATIONS).every((name) => done.has(name))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === UNDEFINED_TABLE) return false
    throw error
  }
}
