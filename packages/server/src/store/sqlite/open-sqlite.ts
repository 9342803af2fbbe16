import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { type CommittedBatch, createGroupCommit } from '../group-commit.ts'
import type { Schema } from '../schema.ts'
import { secretsFile } from '../secrets-file.ts'
import type { Store } from '../store.ts'
import type { WriteOperation, WriteOutcome } from '../write-operation.ts'
import { type Connection, openConnection } from './connection.ts'
import { DATABASE_FILE } from './database-file.ts'
import { databaseSize } from './database-size.ts'
import { deviceStore } from './device-store.ts'
import { type ConnectionSource, sqliteDialect } from './dialect.ts'
import { listInBackground } from './list-in-background.ts'
import { migrate } from './migrate.ts'
import { readUnlistedKeys } from './read-unlisted-keys.ts'
import { oneAtATime, shareTurns } from './turns.ts'

/** Threads for each kind of reader, so that a page of the dashboard does not hold up a visit. */
const READERS = 2
/** Look-ups that go to one thread in one message, before another thread takes some. */
const TOGETHER = 8

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

  const openReaders = () => Array.from({ length: READERS }, () => openConnection({ file, readOnly: true }))
  const readers = openReaders()
  const reads = new Kysely<Schema>({ dialect: sqliteDialect(leastBusy(readers)) })
  const visitReaders = openReaders()
  const visitReads = new Kysely<Schema>({ dialect: sqliteDialect(firstWithRoom(visitReaders)) })
  const jobReader = openConnection({ file, readOnly: true })
  const jobReads = new Kysely<Schema>({ dialect: sqliteDialect(leastBusy([jobReader])) })
  const inSharedTurn = shareTurns(turns)
  const group = createGroupCommit<WriteOperation>(
    (operations) => inSharedTurn((connection) => connection.commit(operations)),
    ({ type }) => type === 'identification',
    batchCommitted,
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
      await Promise.all(
        [writer, jobReader, ...readers, ...visitReaders].map((connection) => connection.close()),
      )
    },
  }
}

const leastBusy = (connections: readonly Connection[]): ConnectionSource => ({
  acquire: () => Promise.resolve(withFewest(connections)),
  release() {},
})

/** Fills one thread's messages before it wakes another. */
const firstWithRoom = (connections: readonly Connection[]): ConnectionSource => ({
  acquire: () =>
    Promise.resolve(connections.find((one) => one.pending() < TOGETHER) ?? withFewest(connections)),
  release() {},
})

function withFewest([first, ...others]: readonly Connection[]): Connection {
  if (!first) throw new Error('no connection')
  return others.reduce((best, next) => (next.pending() < best.pending() ? next : best), first)
}
