import { createHash } from 'node:crypto'
import { AppError } from '../../lib/errors.ts'
import { secretsFile } from '../data-dir.ts'
import { type EmbeddedSnapshot, openEmbeddedSnapshot } from './embedded-snapshot.ts'
import { digestOf, keyOf, MOVED_TABLES, type MovedTable, type RowKey } from './moved-tables.ts'
import { openPostgresTarget, type PostgresTarget } from './postgres-target.ts'

export interface MovedTableReport {
  table: string
  rows: number
  /** Rows that this run wrote; an earlier run may have written the others. */
  copied: number
  /** SHA-256 of the rows in both databases, in hexadecimal. */
  checksum: string
}

/** Fits in memory even with snapshots of many kilobytes. */
const CHUNK_ROWS = 1_000

/**
 * Copies a snapshot of the embedded database to PostgreSQL and reads every row back. A repeated run copies only what
 * has changed since.
 * @throws AppError `INK_MOVE` if the target is in use or has other rows afterwards
 */
export async function moveStore(
  { dataDir, databaseUrl }: { dataDir: string; databaseUrl: string },
  progress: (done: number, total: number) => void,
): Promise<MovedTableReport[]> {
  const source = await openEmbeddedSnapshot(dataDir)
  try {
    const target = await openPostgresTarget(databaseUrl, source.span())
    try {
      const secrets = await secretsFile(dataDir).read()
      if (secrets !== undefined) await target.keepSecrets(secrets)
      const reports = await moveTables(source, target, progress)
      await target.finish(source.lastNumbers())
      return reports
    } finally {
      await target.close()
    }
  } finally {
    source.close()
  }
}

async function moveTables(
  source: EmbeddedSnapshot,
  target: PostgresTarget,
  progress: (done: number, total: number) => void,
): Promise<MovedTableReport[]> {
  const counts = MOVED_TABLES.map((table) => source.count(table))
  const total = counts.reduce((sum, rows) => sum + rows, 0)
  const reports: MovedTableReport[] = []
  let done = 0
  for (const [index, table] of MOVED_TABLES.entries()) {
    const report = await moveTable(source, target, table, (rows) => progress(done + rows, total))
    done += report.rows
    const inTarget = await target.count(table)
    if (report.rows !== counts[index] || inTarget !== report.rows)
      throw new AppError(
        'INK_MOVE',
        `${table.name}: ${report.rows} rows were copied, and the target has ${inTarget}`,
      )
    reports.push(report)
  }
  return reports
}

async function moveTable(
  source: EmbeddedSnapshot,
  target: PostgresTarget,
  table: MovedTable,
  progress: (rows: number) => void,
): Promise<MovedTableReport> {
  const columns = target.columns(table)
  const checksum = createHash('sha256')
  let after: RowKey | undefined
  let count = 0
  let copied = 0
  for (;;) {
    const rows = source.rows(table, columns, after, CHUNK_ROWS)
    const last = rows.length < CHUNK_ROWS ? undefined : rows.at(-1)
    const upTo = last && keyOf(last, table.key)
    const digest = digestOf(rows, columns)
    const isCopied = async () => digestOf(await target.rows(table, after, upTo), columns) === digest
    if (!(await isCopied())) {
      await target.replace(table, after, upTo, rows)
      copied += rows.length
      if (!(await isCopied()))
        throw new AppError('INK_MOVE', `${table.name}: the target returns other rows than were written`)
    }
    checksum.update(digest)
    count += rows.length
    progress(count)
    if (!upTo) return { table: table.name, rows: count, copied, checksum: checksum.digest('hex') }
    after = upTo
  }
}
