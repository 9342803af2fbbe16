import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { constants, zstdCompressSync } from 'node:zlib'
import type {
  NewDelivery,
  NewIdentification,
  NewOutboxEntry,
  WriteOperation,
  WriteOutcome,
} from '../write-operation.ts'

type Apply = (operations: readonly WriteOperation[]) => WriteOutcome[]

const compress = (text: string): Uint8Array =>
  zstdCompressSync(text, { params: { [constants.ZSTD_c_compressionLevel]: 3 } })

/**
 * Applies a batch in one transaction. When the batch cannot be committed each operation is tried on its
 * own, so that a row the database refuses fails alone.
 */
export function createApplyOperations(db: DatabaseSync): Apply {
  const statements = prepare(db)

  function applyOne(operation: WriteOperation): WriteOutcome {
    return operation.type === 'identification'
      ? storeIdentification(statements, operation)
      : recordDelivery(statements, operation)
  }

  function inTransaction(operations: readonly WriteOperation[]): WriteOutcome[] {
    statements.begin.run()
    try {
      const outcomes = operations.map(applyOne)
      countVolume(statements, operations, outcomes)
      statements.commit.run()
      return outcomes
    } catch (error) {
      if (db.isTransaction) statements.rollback.run()
      throw error
    }
  }

  return (operations) => {
    try {
      return inTransaction(operations)
    } catch (error) {
      if (operations.length === 1) return [{ type: 'failed', message: String(error) }]
      return operations.flatMap((operation) => {
        try {
          return inTransaction([operation])
        } catch (single) {
          return [{ type: 'failed', message: String(single) }]
        }
      })
    }
  }
}

function storeIdentification(
  statements: Statements,
  operation: Extract<WriteOperation, { type: 'identification' }>,
): WriteOutcome {
  const { row, snapshot, outbox } = operation
  const stored = statements.identification.run(...IDENTIFICATION_COLUMNS.map((name) => row[name]))
  if (stored.changes === 0) return { type: 'duplicate' }
  if (snapshot !== undefined)
    statements.snapshot.run(stored.lastInsertRowid, row.domain_id, compress(snapshot))
  const outboxIds = outbox.map((entry) =>
    Number(statements.outbox.run(...OUTBOX_COLUMNS.map((name) => entry[name])).lastInsertRowid),
  )
  return { type: 'stored', outboxIds }
}

function recordDelivery(
  statements: Statements,
  { outboxId, log, retryAt }: Extract<WriteOperation, { type: 'delivery' }>,
): WriteOutcome {
  statements.delivery.run(...DELIVERY_COLUMNS.map((name) => log[name]))
  if (retryAt === undefined) statements.removeOutbox.run(outboxId)
  else statements.postponeOutbox.run(log.attempt, retryAt, outboxId)
  return { type: 'recorded' }
}

/** One unit per stored identification; one update per domain and batch keeps the hot row cheap. */
function countVolume(
  statements: Statements,
  operations: readonly WriteOperation[],
  outcomes: readonly WriteOutcome[],
): void {
  const used = new Map<number, number>()
  operations.forEach((operation, index) => {
    if (operation.type !== 'identification' || outcomes[index]?.type !== 'stored') return
    used.set(operation.row.domain_id, (used.get(operation.row.domain_id) ?? 0) + 1)
  })
  for (const [domainId, count] of used) statements.spend.run(count, domainId)
}

const OUTBOX_COLUMNS: readonly (keyof NewOutboxEntry)[] = [
  'domain_id',
  'endpoint_id',
  'request_id',
  'event_id',
  'body',
  'attempts',
  'due_at',
]

const DELIVERY_COLUMNS: readonly (keyof NewDelivery)[] = [
  'domain_id',
  'endpoint_id',
  'request_id',
  'event_id',
  'event_type',
  'attempt',
  'sent_at',
  'duration_ms',
  'status',
  'error',
  'body',
]

/** A record and not a list, so that a column added to the table cannot be forgotten here. */
const IDENTIFICATION_COLUMN_SET: Record<keyof NewIdentification, true> = {
  domain_id: true,
  request_id: true,
  session_id: true,
  cookie_id: true,
  device_id: true,
  visitor_id: true,
  user_hid: true,
  created_at: true,
  ver: true,
  host: true,
  ip: true,
  os: true,
  browser: true,
  device_type: true,
  country: true,
  connection_type: true,
  score: true,
  flags: true,
  verdict: true,
  web_rtc_ip: true,
  web_rtc_country: true,
  web_rtc_connection_type: true,
  scanner_web_rtc_ip: true,
  scanner_web_rtc_country: true,
  scanner_web_rtc_connection_type: true,
  webrtc_leak_ip: true,
  webrtc_leak_country: true,
  webrtc_leak_connection_type: true,
  webrtc_leak_source: true,
  tcp_mss: true,
  mtu_value: true,
  mtu_hint: true,
  stun_request_seen: true,
  is_scanner_stun_passed: true,
  stun_flow_status: true,
  entry_url: true,
  utm_source: true,
  utm_medium: true,
  utm_campaign: true,
  utm_content: true,
  utm_term: true,
  traffic_channel: true,
  traffic_channel_group: true,
  traffic_reason: true,
  referrer_domain: true,
  click_id_type: true,
}
const IDENTIFICATION_COLUMNS = Object.keys(IDENTIFICATION_COLUMN_SET) as (keyof NewIdentification)[]

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
