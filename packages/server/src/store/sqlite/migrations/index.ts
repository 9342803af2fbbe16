import type { Migration } from 'kysely/migration'
import { FIRST_MIGRATIONS } from './0001-to-0003.ts'
import { NEXT_MIGRATIONS } from './0004-to-0008.ts'

/** All migrations of the embedded database. Append new ones, each in a file of its own; databases record these names. */
export const SQLITE_MIGRATIONS = {
  ...FIRST_MIGRATIONS,
  ...NEXT_MIGRATIONS,
} satisfies Record<string, Migration>
