import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type InklingDatabase, QUESTIONS, uuidOf } from './inkling-database.ts'

const HEX = 'hex(request_id)'

export function openSqliteDatabase(dataDir: string): InklingDatabase {
  const db = new DatabaseSync(join(dataDir, 'inkling.db'), { readOnly: true, timeout: 10_000 })
  const total = (sql: string): number => Number(db.prepare(sql).get()?.total)

  return {
    count: async (table) => total(QUESTIONS.count(table)),
    async rowsByRequest() {
      const rows = db.prepare(QUESTIONS.rowsByRequest(HEX)).iterate()
      return new Map([...rows].map((row) => [uuidOf(String(row.id)), Number(row.total)]))
    },
    async versions() {
      const rows = db.prepare(QUESTIONS.versions(HEX)).iterate()
      return new Map(
        [...rows].map(({ id, ver, score }) => [
          uuidOf(String(id)),
          { ver: Number(ver), score: Number(score) },
        ]),
      )
    },
    recordedTwice: async () =>
      db
        .prepare(QUESTIONS.recordedTwice(HEX))
        .all()
        .map(({ id }) => uuidOf(String(id))),
    failedSends: async () => total(QUESTIONS.failedSends),
    remaining: async () => total(QUESTIONS.remaining),
    integrity: async () => String(db.prepare('pragma integrity_check').get()?.integrity_check),
    close: async () => db.close(),
  }
}
