import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { createShares } from '../../lib/shares.ts'
import { DATABASE_FILE, databaseSize, isServed } from '../data-dir.ts'
import { type CommittedBatch, createGroupCommit } from '../group-commit.ts'
import { migrate } from '../migrate.ts'
import type { Schema } from '../schema.ts'
import {
  isRetriedByClient,
  joinWithinMs,
  type Store,
  type WriteOperation,
  type WriteOutcome,
} from '../store.ts'
import { boundSecrets, checkFiles, checkLog } from './check-parts.ts'
import { openConnection, readerPool, writerLock } from './connections.ts'
import { sqliteDevices } from './device-store.ts'
import { sqliteDialect } from './dialect.ts'
import { SQLITE_MIGRATIONS } from './migrations/index.ts'
import { readUnlistedKeys, startSqliteListing } from './unlisted-keys.ts'
import { sqliteVelocity } from './velocity-store.ts'

/** Separate pools, so that a long read of a job does not delay a page of the dashboard. */
const READERS = {
  requests: { max: 3 },
  jobs: { max: 1 },
  probes: { max: 1 },
}
/** A search takes two readers, so that others find one. */
const SHARE = 1

/**
 * How often this process has a database open. It must not read the file of an open one by itself: closing that handle
 * would release SQLite's locks (https://www.sqlite.org/howtocorrupt.html, section 2.2), and another process could then
 * remove the log.
 */
const openHere = new Map<string, number>()

async function checkBeforeOpening(dataDir: string): Promise<void> {
  if ((openHere.get(dataDir) ?? 0) > 0) return
  await checkFiles(dataDir)
  // The server has checked the log that it writes to.
  if (!isServed(dataDir)) await checkLog(dataDir)
}

/**
 * Opens the embedded database with one writer thread and reader threads for requests and jobs. Visits read on
 * the calling thread.
 * @param dataDir must exist
 * @throws AppError `INK_DATA_DIR` when its files are damaged or do not belong together
 */
export async function openSqlite(
  dataDir: string,
  batchCommitted?: (batch: CommittedBatch) => void,
): Promise<Store> {
  const file = join(dataDir, DATABASE_FILE)
  await checkBeforeOpening(dataDir)
  // An open thread would keep the process running after a failed start.
  await using opened = new AsyncDisposableStack()
  openHere.set(dataDir, (openHere.get(dataDir) ?? 0) + 1)
  opened.defer(() => void openHere.set(dataDir, (openHere.get(dataDir) ?? 1) - 1))
  let written = (): void => undefined
  const writer = openConnection({ file, readOnly: false }, () => written())
  opened.defer(() => writer.close())
  const lock = writerLock(writer)
  const writes = new Kysely<Schema>({ dialect: sqliteDialect(lock) })
  await migrate(writes, SQLITE_MIGRATIONS)

  const open = () => openConnection({ file, readOnly: true })
  const requestReaders = readerPool({ open, ...READERS.requests })
  const jobReaders = readerPool({ open, ...READERS.jobs })
  const probes = readerPool({ open, ...READERS.probes })
  for (const readers of [requestReaders, jobReaders, probes]) opened.defer(() => readers.close())
  const reads = new Kysely<Schema>({ dialect: sqliteDialect(requestReaders) })
  const jobReads = new Kysely<Schema>({ dialect: sqliteDialect(jobReaders) })
  const group = createGroupCommit<WriteOperation>(
    (operations) => lock.shared((connection) => connection.commit(operations)),
    { isRetriedByClient, joinWithinMs, batchCommitted },
  )
  const unlisted = await readUnlistedKeys(reads)
  const devices = sqliteDevices(file, unlisted)
  written = devices.written
  opened.defer(() => devices.close())
  const listing = startSqliteListing(unlisted, group.commit)
  const connections = opened.move()

  /** Look-ups find new keys as soon as their identification is stored. */
  async function commit(operation: WriteOperation): Promise<WriteOutcome> {
    const outcome = await group.commit(operation)
    if (operation.type === 'identification' && outcome.type === 'stored' && outcome.unlisted) {
      unlisted.add(operation.row.domain_id, outcome.unlisted, operation.device?.keys ?? [])
      listing.keysAdded()
    }
    return outcome
  }

  return {
    engine: 'sqlite',
    reads,
    jobReads,
    claims: writes,
    writes,
    longWrites: writes,
    inShare: createShares(SHARE),
    probe: async () => void (await (await probes.acquire()).query('select 1 from directory_version', [])),
    devices,
    velocity: sqliteVelocity(reads, (forgotten) => lock.shared((connection) => connection.settle(forgotten))),
    secrets: boundSecrets(dataDir, writes),
    cold: undefined,
    pool: undefined,
    commit,
    areCommitsEnded: () => Promise.resolve(true),
    alone: (_job, run) => run(),
    size: () => databaseSize(dataDir),
    async check() {
      const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(jobReads)
      if (rows[0]?.quick_check !== 'ok') throw new Error(rows[0]?.quick_check ?? 'no answer')
      return 'embedded'
    },
    async close() {
      await listing.stop()
      await group.idle()
      await connections.disposeAsync()
    },
  }
}
