import { DatabaseSync } from 'node:sqlite'
import { type CeilingRow, COLUMNS, ceilingDefinition, indexedCells, VALUES } from './ceiling-columns.ts'

export type WriteRows = (rows: readonly CeilingRow[]) => void

/**
 * The simplest durable layout: one table of 45 columns with nine text indexes, written in batches of one
 * transaction. Nothing is parsed.
 */
export function openCeilingTable(file: string): WriteRows {
  const db = new DatabaseSync(file)
  db.exec('pragma journal_mode = wal')
  db.exec('pragma synchronous = full')
  db.exec('pragma wal_autocheckpoint = 4000')
  db.exec('pragma cache_size = -65536')
  for (const statement of ceilingDefinition('blob')) db.exec(statement)
  const begin = db.prepare('begin immediate')
  const commit = db.prepare('commit')
  const insert = db.prepare(`insert into visits values (${COLUMNS.map(() => '?').join(', ')})`)

  return (rows) => {
    begin.run()
    const now = new Date().toISOString()
    for (const row of rows) insert.run(...indexedCells(row, now), row.body, ...VALUES)
    commit.run()
  }
}

export function countCeilingRows(file: string): number {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 10_000 })
  const row = db.prepare('select count(*) as total from visits').get()
  db.close()
  return Number(row?.total)
}
