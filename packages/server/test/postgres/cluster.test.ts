import { sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openStore } from '../../src/store/open-store.ts'
import { planDistribution } from '../../src/store/postgres/distribution.ts'
import { temporaryDirectory, temporaryStore } from '../temporary-store.ts'
import { databaseSettings } from '../test-database.ts'
import { administer } from './administer.ts'
import { urlOn } from './citus-database.ts'

const { adminUrl = '', workers = [] } = inject('testPostgres') ?? {}
const [worker] = workers

test.runIf(worker)('a worker that acknowledges what it could still lose is refused', async () => {
  if (!worker) return
  const dataDir = await temporaryDirectory()
  const { DATABASE_URL: databaseUrl = '' } = await databaseSettings(dataDir)
  const name = new URL(databaseUrl).pathname.slice(1)
  // Citus would pass it on to the other machines.
  await administer(
    urlOn(adminUrl, worker),
    `set citus.enable_ddl_propagation = off; alter database ${name} set synchronous_commit = off`,
  )
  const store = await openStore({ dataDir, databaseUrl })
  onTestFinished(() => store.close())
  const refusal = `synchronous_commit is off on ${worker.host}:${worker.port}: set it to on`
  await expect(store.check()).rejects.toThrow(refusal)
  await expect(planDistribution(store.writes)).rejects.toThrow(refusal)
})

test.runIf(worker)('a cluster in order is described, and its size is that of all its machines', async () => {
  const { store } = await temporaryStore()
  expect(await store.check()).toContain(`over ${workers.length} workers`)
  const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(
    store.reads,
  )
  const { bytes } = await store.size()
  expect(bytes).toBeGreaterThan((rows[0]?.bytes ?? 0) * 1.5)
})
