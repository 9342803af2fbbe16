import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { AppError } from '../../lib/errors.ts'
import { DATABASE_FILE } from '../data-dir.ts'
import { escapeZeroBytes } from '../postgres/zero-bytes.ts'
import { decodeNewKeys } from '../sqlite/messages.ts'
import { openSqlite } from '../sqlite/open-sqlite.ts'
import { type MovedRow, type MovedTable, PREPARE_ROWS, type RowKey } from './moved-tables.ts'

/** A consistent snapshot of the embedded database, which other processes may keep writing to. */
export interface EmbeddedSnapshot {
  count(table: MovedTable): number
  /** The next rows in the order of their key. */
  rows(table: MovedTable, columns: readonly string[], after: RowKey | undefined, limit: number): MovedRow[]
  /** The highest ID that was ever used, for tables that never reuse one. */
  lastNumbers(): Map<string, number>
  /** Times of the first and last identification; undefined without any. */
  span(): { firstMs: number; lastMs: number } | undefined
  close(): void
}

/** @throws AppError `INK_MOVE` if there is no database */
export async function openEmbeddedSnapshot(dataDir: string): Promise<EmbeddedSnapshot> {
  const file = join(dataDir, DATABASE_FILE)
  if (!existsSync(file)) throw new AppError('INK_MOVE', `there is no database in ${dataDir}`)
  // Applies pending migrations, and writes counts that are only logged.
  const store = await openSqlite(dataDir)
  await store.velocity.settle()
  await store.close()
  const db = new DatabaseSync(file, { readOnly: true })
  db.function('new_keys', { deterministic: true }, newKeys)
  db.function('as_in_postgres', { deterministic: true }, (text) => escapeZeroBytes(String(text)))
  db.exec('pragma temp_store = memory')
  // A read transaction starts with its first query.
  db.exec('begin')
  db.prepare('select count(*) from sqlite_schema').get()
  db.exec(PREPARE_ROWS)

  return {
    count: ({ name, source }) =>
      Number(db.prepare(`select count(*) as rows from ${source ? `(${source})` : name}`).get()?.rows),
    rows({ name, key, source, visitorText }, columns, after, limit) {
      const inOrder = (column: string, text: string) =>
        column === visitorText ? `as_in_postgres(${text})` : text
      const order = key.map((column) => inOrder(column, column)).join()
      const start = key.map((column) => inOrder(column, '?')).join()
      const text = `select ${columns.join()} from ${source ? `(${source})` : name}
        ${after ? `where (${order}) > (${start})` : ''} order by ${order} limit ?`
      return db.prepare(text).all(...((after ?? []) as SQLInputValue[]), limit) as MovedRow[]
    },
    lastNumbers() {
      const rows = db.prepare("select name, seq from sqlite_sequence where name <> 'unlisted_keys'").all()
      return new Map(rows.map(({ name, seq }) => [String(name), Number(seq)]))
    },
    span() {
      const { first, last } =
        db.prepare('select min(created_at) as first, max(created_at) as last from identifications').get() ??
        {}
      return typeof first === 'number' && typeof last === 'number'
        ? { firstMs: first, lastMs: last }
        : undefined
    },
    close: () => db.close(),
  }
}

const newKeys = (bytes: unknown): string =>
  JSON.stringify(
    decodeNewKeys(bytes as Uint8Array).map(({ key, kind, listed }) => [key, kind ?? null, listed ? 1 : 0]),
  )
