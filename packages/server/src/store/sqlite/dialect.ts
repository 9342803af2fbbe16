import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type QueryResult as KyselyResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { ConnectionSource, SqliteConnection } from './connections.ts'
import type { Parameter } from './messages.ts'

/**
 * Kysely does not run SQLite's schema changes in a transaction by default. It has to, so that of two processes only
 * one applies a migration.
 */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** Kysely dialect for connections in worker threads. */
export function sqliteDialect(source: ConnectionSource): Dialect {
  const raw = new WeakMap<DatabaseConnection, SqliteConnection>()
  const run = (connection: DatabaseConnection, sql: string) =>
    connection.executeQuery({ sql, parameters: [] } as never)
  return {
    createAdapter: () => new TransactionalAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createDriver: () => ({
      init: () => Promise.resolve(),
      destroy: () => Promise.resolve(),
      async acquireConnection() {
        const connection = await source.acquire()
        const wrapped = wrap(connection)
        raw.set(wrapped, connection)
        return wrapped
      },
      releaseConnection(wrapped) {
        const connection = raw.get(wrapped)
        if (connection) source.release(connection)
        return Promise.resolve()
      },
      // Immediate, so that two processes that migrate cannot both read before one of them writes.
      beginTransaction: async (connection) => void (await run(connection, 'begin immediate')),
      commitTransaction: async (connection) => void (await run(connection, 'commit')),
      rollbackTransaction: async (connection) => void (await run(connection, 'rollback')),
    }),
  }
}

function wrap(connection: SqliteConnection): DatabaseConnection {
  return {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<KyselyResult<Row>> {
      const { rows, changes, insertId } = await connection.query(sql, parameters as Parameter[])
      return { rows: rows as Row[], numAffectedRows: BigInt(changes), insertId: BigInt(insertId) }
    },
    streamQuery() {
      throw new Error('SQLite does not stream results; read them in pages')
    },
  }
}
