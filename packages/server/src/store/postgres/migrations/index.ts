import type { Migration } from 'kysely/migration'
import { createFirstTables } from './0001-initial.ts'
import { indexUnlistedKeysById } from './0002-newest-unlisted-keys.ts'

/** All migrations of PostgreSQL. Append new ones, each in a file of its own; databases record these names. */
export const POSTGRES_MIGRATIONS = {
  '0001-initial': { up: createFirstTables },
  '0002-newest-unlisted-keys': { up: indexUnlistedKeysById },
} satisfies Record<string, Migration>
