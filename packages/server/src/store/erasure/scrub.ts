import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'
import type { Store } from '../store.ts'
import { removeOrphanKeys } from './remove-orphan-keys.ts'

/*
 * What an engine still has of rows that were removed. The embedded database overwrites deleted content itself
 * (`secure_delete`), but its log keeps earlier pages until it is emptied, and pages that older releases freed keep what
 * they held. PostgreSQL keeps deleted rows until a vacuum.
 */

/** Removals have random numbers below it: as many as `randomInt` knows. */
const NUMBERS = 2 ** 48 - 1

/** Notes that the transaction removes rows of a domain, so that a server scrubs them should this process be killed. */
export async function noteUnscrubbed(transaction: Kysely<Schema>, domainId: number): Promise<void> {
  // A count would begin again after a scrub, and an older scrub could take the new note for its own.
  const removal = randomInt(NUMBERS)
  await transaction
    .insertInto('unscrubbed_domains')
    .values({ domain_id: domainId, removal, keys_removal: null })
    .onConflict((conflict) => conflict.column('domain_id').doUpdateSet({ removal }))
    .execute()
}

/**
 * @param stopped asked between its steps: what is left is for the next scrub
 * @returns false when a reader still needs what was removed: a server tries again every few seconds
 */
export async function scrub(store: Store, domainId: number, stopped = () => false): Promise<boolean> {
  const noted = await store.writes
    .selectFrom('unscrubbed_domains')
    .select(['removal', 'keys_removal'])
    .where('domain_id', '=', domainId)
    .executeTakeFirst()
  // Another process has scrubbed it meanwhile.
  if (!noted) return true
  const { removal, keys_removal } = noted
  // It reads all keys of the domain, so what a reader delays repeats only the rest.
  if (keys_removal !== removal) {
    await removeOrphanKeys(store, domainId, { stopped })
    if (stopped()) return false
    await store.writes
      .updateTable('unscrubbed_domains')
      .set({ keys_removal: removal })
      .where('domain_id', '=', domainId)
      .execute()
  }
  if (!(await scrubEngine(store, stopped)) || stopped()) return false
  // Not what was removed meanwhile.
  await store.writes
    .deleteFrom('unscrubbed_domains')
    .where('domain_id', '=', domainId)
    .where('removal', '=', removal)
    .execute()
  return true
}

/** Scrubs all domains with removed rows. In the background, because it may read a whole domain. */
export async function scrubAll(store: Store, stopped = () => false): Promise<void> {
  const domains = await store.jobReads.selectFrom('unscrubbed_domains').select('domain_id').execute()
  for (const { domain_id } of domains) if (!stopped()) await scrub(store, domain_id, stopped)
}

async function scrubEngine(store: Store, stopped: () => boolean): Promise<boolean> {
  if (store.engine === 'postgres') {
    const isReadByNobody = await earlierTransactionsEnd(store.jobReads, stopped)
    await vacuum(store.jobReads, stopped)
    return isReadByNobody
  }
  await overwriteFreePages(store.writes, stopped)
  return stopped() ? false : emptyLog(store.writes)
}

const ASK_AGAIN_MS = 50
/** A job of a server reads for seconds; a dump may read for hours. */
const READERS_WAIT_MS = 10_000

/**
 * Waits for the transactions that run, because a vacuum keeps what they may read.
 * @returns false when one of them still runs after ten seconds, or at a stop
 */
async function earlierTransactionsEnd(db: Kysely<Schema>, stopped: () => boolean): Promise<boolean> {
  const awaited = new Set(await runningTransactions(db))
  for (let waitedMs = 0; ; waitedMs += ASK_AGAIN_MS) {
    const running = await runningTransactions(db)
    if (!running.some((transaction) => awaited.has(transaction))) return true
    if (waitedMs >= READERS_WAIT_MS || stopped()) return false
    await pause(ASK_AGAIN_MS)
  }
}

async function runningTransactions(db: Kysely<Schema>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select pid || ' ' || xact_start as name from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
      and backend_type = 'client backend' and xact_start is not null`.execute(db)
  return rows.map(({ name }) => name)
}

/** Every table that may hold an identifier; of the partitioned one all partitions. */
const TABLES = [
  'identifications',
  'request_ids',
  'recent_requests',
  'snapshots',
  'versions',
  'sticky_verdicts',
  'velocity',
  'decisions',
  'outbox',
  'deliveries',
  'devices',
  'device_keys',
  'device_aliases',
  'unlisted_keys',
  'pattern_findings',
  'pattern_rows',
  'list_entries',
  'labels',
  'cases',
  'case_events',
  'alert_events',
  'late_changes',
  'limits',
]

/** Reads only the pages that changed. Without truncation, which would stop all other work on a table. */
async function vacuum(db: Kysely<Schema>, stopped: () => boolean): Promise<void> {
  for (const table of TABLES)
    if (!stopped()) await sql`vacuum (index_cleanup on, truncate off) ${sql.id(table)}`.execute(db)
}

const BUSY_TIMEOUT_MS = 10_000
/** The writer waits no longer for readers, because identifications wait for the writer. */
const EMPTY_TIMEOUT_MS = 200

/** Writes the log into the database file and cuts it to nothing; false if readers still need it. */
const emptyLog = (writes: Kysely<Schema>): Promise<boolean> =>
  writes.connection().execute(async (connection) => {
    await sql`pragma busy_timeout = ${sql.lit(EMPTY_TIMEOUT_MS)}`.execute(connection)
    try {
      const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(connection)
      return rows[0]?.busy === 0
    } finally {
      await sql`pragma busy_timeout = ${sql.lit(BUSY_TIMEOUT_MS)}`.execute(connection)
    }
  })

/** Bytes written in one transaction, which others wait for. */
const STEP_BYTES = 1_048_576

/**
 * Fills the pages that releases without `secure_delete` freed, and frees them again; once in the life of a database. A
 * `VACUUM` would do the same and stop all writes until it is done. The command line and a server may do it at once, so
 * each step looks first whether there is anything left to do. What a stop leaves is for the next scrub.
 */
async function overwriteFreePages(writes: Kysely<Schema>, stopped: () => boolean): Promise<void> {
  for (const step of [fillSomePages, freeSomePages])
    while (!stopped() && (await writes.transaction().execute(step)));
}

/** @returns false once all pages are filled: only then are they freed, or two processes would fill them in turns for ever */
async function fillSomePages(transaction: Kysely<Schema>): Promise<boolean> {
  const installation = await transaction
    .selectFrom('installation')
    .select('free_pages_overwritten')
    .executeTakeFirst()
  // Without a row no server has started yet, and nothing was removed.
  if (installation?.free_pages_overwritten !== 0) return false
  await sql`create table if not exists free_pages (id integer primary key, body blob not null)`.execute(
    transaction,
  )
  const pageBytes = await pragma(transaction, 'page_size')
  const free = (await pragma(transaction, 'freelist_count')) * pageBytes
  if (free === 0) {
    await transaction.updateTable('installation').set({ free_pages_overwritten: 1 }).execute()
    return false
  }
  // A whole page each, or as many as fit in a step.
  const bytes = free > STEP_BYTES * 2 ? STEP_BYTES : pageBytes
  await sql`insert into free_pages (body) values (zeroblob(${bytes}))`.execute(transaction)
  return true
}

/** @returns false once all are freed */
async function freeSomePages(transaction: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql`select 1 from sqlite_schema where name = 'free_pages'`.execute(transaction)
  if (rows.length === 0) return false
  const { numAffectedRows } = await sql`
    delete from free_pages where id in (select id from free_pages limit 1)`.execute(transaction)
  if (numAffectedRows) return true
  await sql`drop table free_pages`.execute(transaction)
  return false
}

async function pragma(db: Kysely<Schema>, name: string): Promise<number> {
  const { rows } = await sql<Record<string, number>>`pragma ${sql.raw(name)}`.execute(db)
  return rows[0]?.[name] ?? 0
}
