import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'

/** What reaches the table of one request. */
export interface CeilingRow {
  requestId: string
  address: string
  host: string
  body: Uint8Array
}

export type WriteRows = (rows: readonly CeilingRow[]) => void

const INDEXED = [
  'request_id',
  'session_id',
  'cookie_id',
  'device_id',
  'visitor_id',
  'user_hid',
  'ip',
  'host',
  'created_at',
]
const FACTS = Array.from({ length: 45 - INDEXED.length - 1 }, (_, index) => `fact_${index + 1}`)
const COLUMNS = [...INDEXED, 'body', ...FACTS]
/** About as wide as operating systems, countries, channels and scores are. */
const VALUES = FACTS.map((_, index) => ['Windows', 'US', 'organic', 'Chrome 148', '0'][index % 5] ?? '')

/**
 * The plainest durable layout: one table of 45 columns with nine text indexes, to which a batch is written
 * in one transaction. Nothing is parsed: identifiers are made up, for they cost the same to index.
 */
export function openCeilingTable(file: string): WriteRows {
  const db = new DatabaseSync(file)
  db.exec('pragma journal_mode = wal')
  db.exec('pragma synchronous = full')
  db.exec('pragma cache_size = -65536')
  const definitions = COLUMNS.map((name) => `${name} ${name === 'body' ? 'blob' : 'text'} not null`)
  db.exec(`create table visits (${definitions.join(', ')})`)
  for (const name of INDEXED) db.exec(`create index visits_${name} on visits (${name})`)
  const begin = db.prepare('begin immediate')
  const commit = db.prepare('commit')
  const insert = db.prepare(`insert into visits values (${COLUMNS.map(() => '?').join(', ')})`)

  return (rows) => {
    begin.run()
    const now = new Date().toISOString()
    for (const { requestId, address, host, body } of rows) {
      const [session, cookie, device, visitor, user] = [0, 1, 2, 3, 4].map(() => randomUUID())
      insert.run(
        requestId,
        session ?? '',
        cookie ?? '',
        device ?? '',
        visitor ?? '',
        user ?? '',
        address,
        host,
        now,
        body,
        ...VALUES,
      )
    }
    commit.run()
  }
}

export function countCeilingRows(file: string): number {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 10_000 })
  const row = db.prepare('select count(*) as total from visits').get()
  db.close()
  return Number(row?.total)
}
