import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Schema } from '../schema.ts'
import * as initial from './migrations/0001-initial.ts'
import * as refinement from './migrations/0002-refinement.ts'
import * as devices from './migrations/0003-devices.ts'
import * as accounts from './migrations/0004-accounts.ts'
import * as rollups from './migrations/0005-rollups.ts'
import * as patterns from './migrations/0006-patterns.ts'
import * as domainRules from './migrations/0007-domain-rules.ts'
import * as unlistedKeys from './migrations/0008-unlisted-keys.ts'

const MIGRATIONS: Record<string, Migration> = {
  '0001-initial': initial,
  '0002-refinement': refinement,
  '0003-devices': devices,
  '0004-accounts': accounts,
  '0005-rollups': rollups,
  '0006-patterns': patterns,
  '0007-domain-rules': domainRules,
  '0008-unlisted-keys': unlistedKeys,
}

/** Brings the tables up to date; doing it twice, or from two processes at once, does it once. */
export async function migrate(db: Kysely<Schema>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(MIGRATIONS) } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw new Error('the database could not be brought up to date', { cause: error })
}
