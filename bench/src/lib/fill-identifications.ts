import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { progress } from './progress.ts'

export type Cell = string | number | null | Uint8Array

export interface Filling {
  rows: number
  columns: readonly string[]
  /** Times are spread evenly over this span. */
  firstMs: number
  spanMs: number
  /** Cells in column order. */
  row(number: number, atMs: number): Cell[]
  /** Indexes to recreate; undefined for all. */
  indexes?: readonly string[]
}

const CHUNK = 50_000

/**
 * Writes rows directly into the table without indexes and creates those at the end, because writing
 * through the store would take hours.
 */
export function fillIdentifications(
  dataDir: string,
  { rows, columns, firstMs, spanMs, row, indexes: wanted }: Filling,
): void {
  const db = new DatabaseSync(join(dataDir, 'inkling.db'))
  db.exec('pragma synchronous = off; pragma cache_size = -1000000; pragma temp_store = file')
  const indexes = db
    .prepare(
      `select name, sql from sqlite_master where type = 'index' and tbl_name = 'identifications' and sql is not null`,
    )
    .all()
  for (const { name } of indexes) db.exec(`drop index ${String(name)}`)
  const insert = db.prepare(
    `insert into identifications (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
  )
  for (let done = 0; done < rows; done += CHUNK) {
    db.exec('begin')
    for (let number = done; number < Math.min(rows, done + CHUNK); number += 1)
      insert.run(...row(number, Math.floor(firstMs + (number / rows) * spanMs)))
    db.exec('commit')
    if (done % (CHUNK * 20) === 0)
      progress(`${done.toLocaleString('en')} of ${rows.toLocaleString('en')} rows`)
  }
  for (const { name, sql } of indexes) {
    if (wanted && !wanted.includes(String(name))) continue
    progress(`index ${String(name)}`)
    db.exec(String(sql))
  }
  db.exec('pragma wal_checkpoint(truncate)')
  db.close()
}
