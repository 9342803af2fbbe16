import { join } from 'node:path'
import { Kysely } from 'kysely'
import { migrate } from '../migrate.ts'
import type { Schema } from '../schema.ts'
import type { Store } from '../store.ts'
import { type Connection, openConnection } from './connection.ts'
import { type ConnectionSource, sqliteDialect } from './dialect.ts'
import { createGroupCommit } from './group-commit.ts'

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
  const group = createGroupCommit(async (operations) => {
    const connection = await turns.acquire()
    try {
      return await connection.commit(operations)
    } finally {
      turns.release(connection)
    }
  })

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

/** One user after the other, so that the statements of two transactions never mix. */
function oneAtATime(connection: Connection): ConnectionSource {
  const queue: PromiseWithResolvers<Connection>[] = []
  let taken = false
  return {
    acquire() {
      if (!taken) {
        taken = true
        return Promise.resolve(connection)
      }
      const turn = Promise.withResolvers<Connection>()
      queue.push(turn)
      return turn.promise
    },
    release() {
      const next = queue.shift()
      if (next) next.resolve(connection)
      else taken = false
    },
  }
}
