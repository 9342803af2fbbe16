import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { DATABASE_FILE } from '../src/store/data-dir.ts'
import { openSqlite } from '../src/store/sqlite/open-sqlite.ts'

/** One empty database for the whole run, because each new one would spend most of its time on migrations. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'inkling-'))
  const store = await openSqlite(directory)
  await store.close()
  project.provide('sqliteTemplate', join(directory, DATABASE_FILE))
  return () => rm(directory, { recursive: true })
}
