import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { insertIdentifications, type Piece } from './made-rows.ts'

const DIALECT = { bytes16: 'randomblob(16)', address: 'random() & 4294967295' }

export function fillSqlite(dataDir: string, pieces: readonly Piece[]): void {
  const db = new DatabaseSync(join(dataDir, 'inkling.db'))
  db.exec('pragma synchronous = off; pragma cache_size = -1000000; pragma temp_store = file')
  const indexes = db
    .prepare(
      `select name, sql from sqlite_master where type = 'index' and tbl_name = 'identifications' and sql is not null`,
    )
    .all()
  for (const { name } of indexes) db.exec(`drop index ${String(name)}`)
  for (const piece of pieces) db.exec(insertIdentifications(DIALECT, piece))
  for (const { sql } of indexes) db.exec(String(sql))
  // Marks the rows as processed; otherwise jobs that read new rows would distort the measurement.
  db.exec('update rollup_progress set last_id = (select max(id) from identifications)')
  db.exec('insert or replace into pattern_cursor values (1, (select max(id) from identifications))')
  db.exec('pragma wal_checkpoint(truncate)')
  db.close()
}
