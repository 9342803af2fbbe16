import { createHash } from 'node:crypto'
import { secretsFile } from '../data-dir.ts'
import { MoveError } from '../store-error.ts'
import { type EmbeddedSnapshot, openEmbeddedSnapshot } from './embedded-snapshot.ts'
import { digestOf, keyOf, MOVED_TABLES, type MovedTable, type RowKey } from './moved-tables.ts'
import { openPostgresTarget, type PostgresTarget } from './postgres-target.ts'

export interface MovedTableReport {
  table: string
  rows: number
  /** Rows that were written; the rest was there already, from an earlier run. */
  copied: number
  /** SHA-256, in hexadecimal, of what both databases have. */
  checksum: string
}

/** Few enough for memory where each has a fingerprint of many kilobytes. */
const ROWS_AT_ONCE = 1_000

/**
 * Copies the embedded database, as it is at one moment, into PostgreSQL, and reads every row back. A further run
 * copies only what has changed since.
 * @throws MoveError when the target is in use, or has other rows afterwards
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
    const there = await target.count(table)
    if (report.rows !== counts[index] || there !== report.rows)
      throw new MoveError(`${table.name}: ${report.rows} rows were copied, and the target has ${there}`)
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
    const rows = source.rows(table, columns, after, ROWS_AT_ONCE)
    const last = rows.length < ROWS_AT_ONCE ? undefined : rows.at(-1)
    const upTo = last && keyOf(last, table.key)
    const digest = digestOf(rows, columns)
    const isThere = async () => digestOf(await target.rows(table, after, upTo), columns) === digest
    if (!(await isThere())) {
      await target.replace(table, after, upTo, rows)
      copied += rows.length
      if (!(await isThere()))
        throw new MoveError(`${table.name}: the target gives other rows than it was given`)
    }
    checksum.update(digest)
    count += rows.length
    progress(count)
    if (!upTo) return { table: table.name, rows: count, copied, checksum: checksum.digest('hex') }
    after = upTo
  }
}
