import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Inkling's database as it lies on disk, read beside the running server and past all of its code. */
export function openDatabase(dataDir: string) {
  const db = new DatabaseSync(join(dataDir, 'inkling.db'), { readOnly: true, timeout: 10_000 })
  const count = (table: string): number =>
    Number(db.prepare(`select count(*) as total from ${table}`).get()?.total)

  return {
    count,
    /** How many rows each request ID has. */
    rowsByRequest(): Map<string, number> {
      const rows = db.prepare(
        'select lower(hex(request_id)) as id, count(*) as total from identifications where score is not null group by request_id',
      )
      return new Map([...rows.iterate()].map(({ id, total }) => [uuidOf(String(id)), Number(total)]))
    },
    /** Request IDs whose event was recorded as received more than once. */
    recordedTwice(): string[] {
      const rows = db.prepare(
        'select lower(hex(request_id)) as id from deliveries where status between 200 and 299 group by request_id having count(*) > 1',
      )
      return rows.all().map(({ id }) => uuidOf(String(id)))
    },
    /** How many recorded sends got no answer of 2xx. */
    failedSends: (): number =>
      Number(
        db
          .prepare(
            'select count(*) as total from deliveries where status is null or status not between 200 and 299',
          )
          .get()?.total,
      ),
    /** `ok`, or what is wrong with the file. */
    integrity: (): string => String(db.prepare('pragma integrity_check').get()?.integrity_check),
    close: () => db.close(),
  }
}

export type InklingDatabase = ReturnType<typeof openDatabase>

const uuidOf = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
