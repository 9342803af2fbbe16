import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { writeChangeFeed } from '../../../packages/server/src/jobs/change-feed/write-change-feed.ts'
import { runPatterns } from '../../../packages/server/src/jobs/patterns/run-patterns.ts'
import { countIdentifications } from '../../../packages/server/src/jobs/rollups/count-identifications.ts'
import { changeFeedStore } from '../../../packages/server/src/store/change-feed/change-feed.ts'
import { newestNumber } from '../../../packages/server/src/store/identifications/id-range.ts'
import { removeOlder } from '../../../packages/server/src/store/identifications/remove-identifications.ts'
import { openStore, type StoreOptions } from '../../../packages/server/src/store/open-store.ts'
import type { Schema } from '../../../packages/server/src/store/schema.ts'
import type { Store } from '../../../packages/server/src/store/store.ts'
import { progress } from '../lib/progress.ts'

/** New rows, of all domains in turn, as visits come. */
const RECENT = 20_000
/** Rows that retention removes. */
const OLD = 6_000
const HOUR_MS = 3_600_000

interface Speed {
  job: string
  rows: number
  perSecond: number
}

/** How many rows a second each job gets through, alone and one after the other, with connections that are warm. */
export async function measureJobs(place: StoreOptions): Promise<Speed[]> {
  const store = await openStore(place)
  const directory = await mkdtemp(join(tmpdir(), 'bench-feed-'))
  const settings = { settledAfterMs: 0, now: Date.now }
  const jobs: [string, () => Promise<unknown>][] = [
    ['counts of the overview', () => countIdentifications(store, settings)],
    ['patterns', () => runPatterns(store, settings)],
    ['change feed', () => writeChangeFeed(store, { ...FEED, directory, now: Date.now })],
  ]
  const speeds: Speed[] = []
  try {
    await changeFeedStore(store.writes).begin(Date.now())
    // The first time warms up.
    for (const isTimed of [false, true]) {
      await skipOlder(store.writes, await newestNumber(store.writes, 'identifications'))
      await addRecentRows(store.writes)
      for (const [job, run] of jobs) {
        progress(`${isTimed ? 'measuring' : 'warming up'}: ${job}`)
        const perSecond = await rate(RECENT, run)
        if (isTimed) speeds.push({ job, rows: RECENT, perSecond })
      }
    }
    progress('measuring: retention')
    speeds.push({ job: 'retention', ...(await retention(store)) })
  } finally {
    await store.close()
    await rm(directory, { recursive: true, force: true })
  }
  return speeds
}

const FEED = {
  unreadBytesMax: 1e9,
  personal: true,
  unreadable(error: unknown) {
    throw error
  },
}

async function rate(rows: number, run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await run()
  return rows / ((performance.now() - startedAt) / 1_000)
}

/** Jobs begin behind a number. The feed passes visits only once they have settled: hence the hour in `addRecentRows`. */
async function skipOlder(db: Kysely<Schema>, newest: number): Promise<void> {
  await db.updateTable('rollup_progress').set({ last_id: newest }).execute()
  await db.deleteFrom('pattern_cursor').execute()
  await db.insertInto('pattern_cursor').values({ id: 1, identification_id: newest }).execute()
  await db.updateTable('change_feed').set({ identification_id: newest }).execute()
}

/** Copies of the newest rows of each domain. */
async function addRecentRows(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select quote_ident(attname) as name from pg_attribute
    where attrelid = 'identifications'::regclass and attnum > 0 and not attisdropped
      and attname not in ('id', 'created_at', 'request_id')`.execute(db)
  const columns = sql.raw(rows.map(({ name }) => name).join(', '))
  const toMs = Date.now() - HOUR_MS
  await db.connection().execute(async (one) => {
    // Apart from the insertion: Citus would read and write at the same time, shard by shard, and in no order.
    await sql`create temporary table recent as
      select *, row_number() over (partition by domain_id order by created_at desc) as place from identifications
      where created_at > ${sql.lit(toMs - 7 * 24 * HOUR_MS)}`.execute(one)
    await sql`insert into identifications (created_at, ${columns})
      select ${sql.lit(toMs)} - 10 * place, ${columns} from recent
      order by place desc, domain_id limit ${sql.lit(RECENT)}`.execute(one)
    await sql`drop table recent`.execute(one)
  })
}

async function retention(store: Store): Promise<{ rows: number; perSecond: number }> {
  const { rows } = await sql<{ at: number }>`
    select created_at as at from identifications order by created_at limit 1 offset ${sql.lit(OLD)}`.execute(
    store.writes,
  )
  let removed = 0
  const perSecond = await rate(1, async () => {
    removed = await removeOlder(store, rows[0]?.at ?? 0)
  })
  return { rows: removed, perSecond: removed * perSecond }
}
