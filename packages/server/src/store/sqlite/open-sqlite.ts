import { join } from 'node:path'
import { Kysely } from 'kysely'
import { migrate } from '../migrate.ts'
import type { Schema } from '../schema.ts'
import type { Store } from '../store.ts'
import { type Connection, openConnection } from './connection.ts'
import { type ConnectionSource, sqliteDialect } from './dialect.ts'
import { createGroupCommit } from './group-commit.ts'
import { oneAtATime, shareTurns } from './turns.ts'

const READERS = 2

/**
 * Opens the embedded database: one writer thread, several reader threads.
 * @param dataDir must exist
 */
export async function openSqlite(dataDir: string): Promise<Store> {
  const file = join(dataDir, 'inkling.db')
  const writer = openConnection({ file, readOnly: false })
  const turns = oneAtATime(writer)
  const writes = new Kysely<Schema>({ dialect: sqliteDialect(turns) })
  await migrate(writes)

  const readers = Array.from({ length: READERS }, () => openConnection({ file, readOnly: true }))
  const reads = new Kysely<Schema>({ dialect: sqliteDialect(leastBusy(readers)) })
  const inSharedTurn = shareTurns(turns)
  const group = createGroupCommit((operations) => inSharedTurn((connection) => connection.commit(operations)))

  return {
    reads,
    writes,
    commit: group.commit,
    async close() {
      await group.idle()
      await Promise.all([writer, ...readers].map((connection) => connection.close()))
    },
  }
}

function leastBusy(connections: readonly Connection[]): ConnectionSource {
  return {
    acquire() {
      const [first, ...others] = connections
      if (!first) throw new Error('no connection')
      return Promise.resolve(
        others.reduce((best, next) => (next.pending() < best.pending() ? next : best), first),
      )
    },
    release() {},
  }
}
