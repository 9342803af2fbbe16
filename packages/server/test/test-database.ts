import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { DATABASE_FILE } from '../src/store/data-dir.ts'
import { openStore } from '../src/store/open-store.ts'
import type { Store } from '../src/store/store.ts'
import { type CitusNode, copyDatabase, dropDatabase, urlOf } from './postgres/citus-database.ts'

export interface TestPostgres {
  /** May create databases. */
  adminUrl: string
  /** A database with all tables and no rows, on the workers too; every test gets a copy. */
  template: string
  /** Over which the template and every copy are split; none without Citus. */
  workers: readonly CitusNode[]
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Set if the tests run on PostgreSQL. */
    testPostgres?: TestPostgres
    /** Otherwise the file of an embedded database with all tables and no rows; every test gets a copy. */
    sqliteTemplate?: string
  }
}

/**
 * Decides which engine a test runs on: PostgreSQL in the project that provides it, otherwise the embedded
 * database. Each data directory has its own PostgreSQL database, so a test needs to know only its directory.
 */
const created = new Map<string, Promise<void>>()

/** The environment in which a server or a command uses the database of the directory. */
export async function databaseSettings(directory: string): Promise<{ DATABASE_URL?: string }> {
  const postgres = inject('testPostgres')
  if (!postgres) return {}
  const name = nameOf(directory)
  const creation =
    created.get(directory) ?? copyDatabase(postgres.adminUrl, name, postgres.template, postgres.workers)
  created.set(directory, creation)
  await creation
  return { DATABASE_URL: urlOf(postgres.adminUrl, name) }
}

/** Opens the database of the directory, like a server. */
export async function openStoreIn(directory: string): Promise<Store> {
  const { DATABASE_URL } = await databaseSettings(directory)
  if (DATABASE_URL === undefined) await copySqlite(directory)
  return openStore({ dataDir: directory, databaseUrl: DATABASE_URL })
}

async function copySqlite(directory: string): Promise<void> {
  const template = inject('sqliteTemplate')
  if (template === undefined) return
  const file = join(directory, DATABASE_FILE)
  // A command may have made the database before.
  const copy = created.get(directory) ?? (existsSync(file) ? Promise.resolve() : copyFile(template, file))
  created.set(directory, copy)
  await copy
}

/** Removes the databases of the directory and of its subdirectories. */
export async function dropDatabases(directory: string): Promise<void> {
  const inside = [...created.keys()].filter((path) => `${path}/`.startsWith(`${directory}/`))
  for (const path of inside) {
    await created.get(path)
    created.delete(path)
    // Files are removed with their directory.
    const postgres = inject('testPostgres')
    if (!postgres) continue
    const { adminUrl, workers } = postgres
    await dropDatabase(adminUrl, nameOf(path), workers)
  }
}

const nameOf = (directory: string): string =>
  `inkling_${createHash('sha256').update(directory).digest('hex').slice(0, 24)}`
