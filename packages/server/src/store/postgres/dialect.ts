import {
  CompiledQuery,
  type DatabaseConnection,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type TransactionSettings,
} from 'kysely'
import { LOCKS } from './locks.ts'

/**
 * Kysely whose transactions run one at a time over all nodes, as SQLite's do: they are rare, and read what they
 * are about to change. Commits of identifications do not wait for them.
 */
export class OneWriterDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig
  constructor(config: PostgresDialectConfig) {
    super(config)
    this.#config = config
  }
  override createDriver(): PostgresDriver {
    return new OneWriterDriver(this.#config)
  }
}

class OneWriterDriver extends PostgresDriver {
  override async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    await super.beginTransaction(connection, settings)
    await connection.executeQuery(CompiledQuery.raw('select pg_advisory_xact_lock($1)', [LOCKS.writes]))
  }
}
