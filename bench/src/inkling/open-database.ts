import type { StoreOptions } from '../../../packages/server/src/store/open-store.ts'
import type { InklingDatabase } from './inkling-database.ts'
import { openPostgresDatabase } from './open-postgres-database.ts'
import { openSqliteDatabase } from './open-sqlite-database.ts'

export const openDatabase = ({ dataDir, databaseUrl }: StoreOptions): InklingDatabase =>
  databaseUrl === undefined ? openSqliteDatabase(dataDir) : openPostgresDatabase(databaseUrl)
