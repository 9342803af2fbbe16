import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { DATABASE_FILE, databaseSize, secretsFile } from '../data-dir.ts'
import { type CommittedBatch, createGroupCommit } from '../group-commit.ts'
import type { Schema } from '../schema.ts'
import { canGiveUp, canWait, type Store, type WriteOperation, type WriteOutcome } from '../store.ts'
import { oneAtATime, openConnection, readerThreads, shareTurns } from './connections.ts'
import { deviceStore } from './device-store.ts'
import { sqliteDialect } from './dialect.ts'
import { migrate } from './migrate.ts'
import { listInBackground, readUnlistedKeys } from './unlisted-keys.ts'

/** Kinds of readers, each with threads of its own, so that a page of the dashboard does not hold up a visit. */
const READERS = {
  requests: { max: 2, together: 1 },
  /** Look-ups fill one message before another thread is woken. */
  visits: { max: 2, together: 8 },
  jobs: { max: 1, together: 1 },
}

/**
 * Opens the embedded database: one writer thread, reader threads for visits, for requests and for jobs.
 * @param dataDir must exist
 */
export async function openSqlite(
  dataDir: string,
  batchCommitted?: (batch: CommittedBatch) => void,
): Promise<Store> {
  const file = join(dataDir, DATABASE_FILE)
  const writer = openConnection({ file, readOnly: false })
  const turns = oneAtATime(writer)
  const writes = new Kysely<Schema>({ dialect: sqliteDialect(turns) })
  await migrate(writes)

  const open = () => openConnection({ file, readOnly: true })
  const requestReaders = readerThreads({ open, ...READERS.requests })
  const visitReaders = readerThreads({ open, ...READERS.visits })
  const jobReaders = readerThreads({ open, ...READERS.jobs })
  const reads = new Kysely<Schema>({ dialect: sqliteDialect(requestReaders) })
  const visitReads = new Kysely<Schema>({ dialect: sqliteDialect(visitReaders) })
  const jobReads = new Kysely<Schema>({ dialect: sqliteDialect(jobReaders) })
  const inSharedTurn = shareTurns(turns)
  const group = createGroupCommit<WriteOperation>(
    (operations) => inSharedTurn((connection) => connection.commit(operations)),
    { canGiveUp, canWait, batchCommitted },
  )
  const unlisted = await readUnlistedKeys(reads)
  const listing = listInBackground(unlisted, group.commit)

  /** New keys are to be found from the moment on in which their identification is stored. */
  async function commit(operation: WriteOperation): Promise<WriteOutcome> {
    const outcome = await group.commit(operation)
    if (operation.type === 'identification' && outcome.type === 'stored' && outcome.unlisted) {
      unlisted.add(operation.row.domain_id, outcome.unlisted, operation.device?.keys ?? [])
      listing.noticed()
    }
    return outcome
  }

  return {
    engine: 'sqlite',
    reads,
    jobReads,
    writes,
    devices: deviceStore(visitReads, unlisted),
    secrets: secretsFile(dataDir),
    pool: undefined,
    commit,
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
      await Promise.all([writer, jobReaders, requestReaders, visitReaders].map((one) => one.close()))
    },
  }
}
