import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openStore } from '../../src/store/open-store.ts'
import { administer } from './administer.ts'
import { workersOf } from './citus-database.ts'
import { startPostgres } from './postgres-server.ts'

/** One PostgreSQL server for the whole run, or the one that `TEST_DATABASE_URL` names, which may be a Citus cluster. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL
  const server = given ? undefined : await startPostgres()
  const adminUrl = server?.url ?? given ?? ''
  const template = `inkling_template_${process.pid}`
  await createTemplate(adminUrl, template)
  project.provide('testPostgres', { adminUrl, template, workers: await workersOf(adminUrl) })
  return async () => {
    await administer(adminUrl, `drop database ${template} with (force)`)
    await server?.stop()
  }
}

async function createTemplate(adminUrl: string, name: string): Promise<void> {
  await administer(adminUrl, `create database ${name}`)
  const url = new URL(adminUrl)
  url.pathname = name
  const dataDir = await mkdtemp(join(tmpdir(), 'inkling-'))
  const store = await openStore({ dataDir, databaseUrl: url.href })
  await store.close()
  await rm(dataDir, { recursive: true })
}
