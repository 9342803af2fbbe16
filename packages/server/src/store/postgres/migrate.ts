import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Schema } from '../schema.ts'
import * as initial from './migrations/0001-initial.ts'

const MIGRATIONS: Record<string, Migration> = {
  '0001-initial': initial,
}

/** Brings the tables up to date; doing it twice, or from two nodes at once, does it once. */
export async function migrate(db: Kysely<Schema>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(MIGRATIONS) } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw new Error('the database could not be brought up to date', { cause: error })
}
