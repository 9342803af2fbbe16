import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type QueryResult as KyselyResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Connection } from './connections.ts'
import type { Parameter } from './messages.ts'

/** Gives out connections: `release` must follow each `acquire`. */
export interface ConnectionSource {
  acquire(): Promise<Connection>
  release(connection: Connection): void
}

/**
 * SQLite's table changes are transactional, which Kysely does not use by default: with it, two processes
 * that migrate at once do it once.
 */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** Kysely over connections that live in worker threads. */
export function sqliteDialect(source: ConnectionSource): Dialect {
  const raw = new WeakMap<DatabaseConnection, Connection>()
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
      // IMMEDIATE: two processes that migrate at once must not both read before either writes.
      beginTransaction: async (connection) => void (await run(connection, 'begin immediate')),
      commitTransaction: async (connection) => void (await run(connection, 'commit')),
      rollbackTransaction: async (connection) => void (await run(connection, 'rollback')),
    }),
  }
}

function wrap(connection: Connection): DatabaseConnection {
  return {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<KyselyResult<Row>> {
      const { rows, changes, insertId } = await connection.query(sql, parameters as Parameter[])
      return { rows: rows as Row[], numAffectedRows: BigInt(changes), insertId: BigInt(insertId) }
    },
    streamQuery() {
      throw new Error('SQLite does not stream: read page by page')
    },
  }
}
