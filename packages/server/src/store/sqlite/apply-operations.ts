import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { constants, zstdCompressSync } from 'node:zlib'
import type { WriteOutcome } from '../write-operation.ts'
import {
  DELIVERY_COLUMNS,
  type EncodedOperation,
  IDENTIFICATION_COLUMNS,
  OUTBOX_COLUMNS,
} from './encoded-operation.ts'

type Apply = (operations: readonly EncodedOperation[]) => WriteOutcome[]

/** A compressed snapshot is about 2 KB: the default chunk is far more than it needs. */
const CHUNK_BYTES = 8_192

const compress = (text: string): Uint8Array =>
  zstdCompressSync(text, {
    chunkSize: CHUNK_BYTES,
    pledgedSrcSize: Buffer.byteLength(text),
    params: { [constants.ZSTD_c_compressionLevel]: 3 },
  })

/**
 * Applies a batch in one transaction. When the batch cannot be committed each operation is tried on its
 * own, so that a row the database refuses fails alone.
 */
export function createApplyOperations(db: DatabaseSync): Apply {
  const statements = prepare(db)

  function inTransaction(operations: readonly EncodedOperation[]): WriteOutcome[] {
    statements.begin.run()
    try {
      const outcomes = operations.map((operation) =>
        operation.type === 'identification'
          ? storeIdentification(statements, operation)
          : recordDelivery(statements, operation),
      )
      countVolume(statements, operations, outcomes)
      statements.commit.run()
      return outcomes
    } catch (error) {
      if (db.isTransaction) statements.rollback.run()
      throw error
    }
  }

  function alone(operation: EncodedOperation): WriteOutcome[] {
    try {
      return inTransaction([operation])
    } catch (error) {
      return [{ type: 'failed', message: String(error) }]
    }
  }

  return (operations) => {
    try {
      return inTransaction(operations)
    } catch {
      return operations.flatMap(alone)
    }
  }
}

function storeIdentification(
  statements: Statements,
  { domainId, row, snapshot, outbox }: Extract<EncodedOperation, { type: 'identification' }>,
): WriteOutcome {
  const stored = statements.identification.run(...row)
  if (stored.changes === 0) return { type: 'duplicate' }
  if (snapshot !== undefined) statements.snapshot.run(stored.lastInsertRowid, domainId, compress(snapshot))
  const outboxIds = outbox.map((entry) => Number(statements.outbox.run(...entry).lastInsertRowid))
  return { type: 'stored', outboxIds }
}

function recordDelivery(
  statements: Statements,
  { outboxId, attempt, log, retryAt }: Extract<EncodedOperation, { type: 'delivery' }>,
): WriteOutcome {
  statements.delivery.run(...log)
  if (retryAt === undefined) statements.removeOutbox.run(outboxId)
  else statements.postponeOutbox.run(attempt, retryAt, outboxId)
  return { type: 'recorded' }
}

/** One unit per stored identification; one update per domain and batch keeps the hot row cheap. */
function countVolume(
  statements: Statements,
  operations: readonly EncodedOperation[],
  outcomes: readonly WriteOutcome[],
): void {
  const used = new Map<number, number>()
  operations.forEach((operation, index) => {
    if (operation.type !== 'identification' || outcomes[index]?.type !== 'stored') return
    used.set(operation.domainId, (used.get(operation.domainId) ?? 0) + 1)
  })
  for (const [domainId, count] of used) statements.spend.run(count, domainId)
}

type Statements = Record<
  | 'begin'
  | 'commit'
  | 'rollback'
  | 'identification'
  | 'snapshot'
  | 'outbox'
  | 'delivery'
  | 'removeOutbox'
  | 'postponeOutbox'
  | 'spend',
  StatementSync
>

function prepare(db: DatabaseSync): Statements {
  const insert = (table: string, columns: readonly string[], onConflict = '') =>
    db.prepare(
      `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')}) ${onConflict}`,
    )
  return {
    begin: db.prepare('begin immediate'),
    commit: db.prepare('commit'),
    rollback: db.prepare('rollback'),
    identification: insert('identifications', IDENTIFICATION_COLUMNS, 'on conflict do nothing'),
    snapshot: insert('snapshots', ['identification_id', 'domain_id', 'body']),
    outbox: insert('outbox', OUTBOX_COLUMNS),
    delivery: insert('deliveries', DELIVERY_COLUMNS),
    removeOutbox: db.prepare('delete from outbox where id = ?'),
    postponeOutbox: db.prepare('update outbox set attempts = ?, due_at = ? where id = ?'),
    spend: db.prepare('update domains set remaining = remaining - ? where id = ?'),
  }
}
