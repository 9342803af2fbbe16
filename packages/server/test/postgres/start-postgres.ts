import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import type { TestProject } from 'vitest/node'
import { openStore } from '../../src/store/open-store.ts'
import { distribute } from '../../src/store/postgres/distribution.ts'
import { openPool } from '../../src/store/postgres/pools.ts'
import type { Schema } from '../../src/store/schema.ts'
import { administer } from './administer.ts'
import {
  type CitusNode,
  closeDatabase,
  dropDatabase,
  joinWorkers,
  urlOf,
  workersOf,
} from './citus-database.ts'
import { startPostgres } from './postgres-server.ts'

/** One PostgreSQL server for the whole run, or the one that `TEST_DATABASE_URL` names, which may be a Citus cluster. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL
  const server = given ? undefined : await startPostgres()
  const adminUrl = server?.url ?? given ?? ''
  const workers = await workersOf(adminUrl)
  const template = `inkling_template_${process.pid}`
  await createTemplate(adminUrl, template, workers)
  project.provide('testPostgres', { adminUrl, template, workers })
  return async () => {
    await dropDatabase(adminUrl, template, workers)
    await server?.stop()
  }
}

async function createTemplate(adminUrl: string, name: string, workers: readonly CitusNode[]): Promise<void> {
  await administer(adminUrl, `create database ${name}`)
  const databaseUrl = urlOf(adminUrl, name)
  const dataDir = await mkdtemp(join(tmpdir(), 'inkling-'))
  const store = await openStore({ dataDir, databaseUrl })
  await store.close()
  await rm(dataDir, { recursive: true })
  if (workers.length === 0) return
  await joinWorkers(adminUrl, name, workers)
  const pool = openPool(databaseUrl, 'writes')
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  await distribute(db, () => {})
  await db.destroy()
  await closeDatabase(adminUrl, name, workers)
}
