import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'

/**
 * A process that keeps of each key of a change feed the line with the greatest sequence, as `docs/change-feed.md` says.
 * It removes a file once what it has is on disk, so it may be killed at any time.
 */
const [directory = '', database = ''] = process.argv.slice(2)
const db = new DatabaseSync(database)
db.exec(`pragma journal_mode = wal; pragma synchronous = full;
  create table if not exists latest (key text primary key, sequence integer, line text)`)
const keep = db.prepare(`insert into latest values (?, ?, ?) on conflict (key) do update
  set sequence = excluded.sequence, line = excluded.line where excluded.sequence > latest.sequence`)

const AGAIN_MS = 200

console.log('receiving')
for (;;) {
  for (const name of readdirSync(directory).sort())
    if (name.endsWith('.ndjson.gz')) receive(join(directory, name))
  await sleep(AGAIN_MS)
}

function receive(file: string): void {
  db.exec('begin')
  for (const text of gunzipSync(readFileSync(file)).toString().trimEnd().split('\n')) {
    const { key, sequence } = JSON.parse(text) as { key: string; sequence: number }
    keep.run(key, sequence, text)
  }
  db.exec('commit')
  rmSync(file)
}
