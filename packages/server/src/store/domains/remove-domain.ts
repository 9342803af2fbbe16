import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { engineSql } from '../engine-sql.ts'
import { noteUnscrubbed } from '../erasure/scrub.ts'
import { removeVisits } from '../identifications/remove-identifications.ts'
import { MOVED_TABLES } from '../move/moved-tables.ts'
import type { Schema } from '../schema.ts'
import type { Store } from '../store.ts'
import { auditStore } from '../users/users.ts'
import { bumpForRemovedVerdicts, type DomainRow, domainStore } from './domains.ts'

/**
 * The tables with rows of a domain. Snapshots are not among them: they go with their identifications, and no index
 * finds them by domain.
 */
const TABLES = [
  'versions',
  'sticky_verdicts',
  'velocity',
  'decisions',
  'outbox',
  'deliveries',
  'pattern_rows',
  'pattern_findings',
  'rollups',
  'late_changes',
  'cold_progress',
  'unlisted_keys',
  'device_keys',
  'key_spreads',
  'device_aliases',
  'devices',
  'domain_rules',
  'agent_policies',
  'decision_rule_hits',
  'back_tests',
  'decision_thresholds',
  'decision_rules',
  'list_entries',
  'list_versions',
  'labels',
  'case_events',
  'cases',
  'alert_deliveries',
  'alert_events',
  'alerts',
  'alert_rules',
  'alert_channels',
  'saved_views',
  'assistant_grants',
  'assistant_proposals',
  'api_keys',
  'domain_members',
  'invitations',
  'endpoints',
] as const satisfies readonly (keyof Schema)[]
type Table = (typeof TABLES)[number]

/** Small, so that concurrent identifications wait only briefly. */
const VISITS_IN_BATCH = 200
const ROWS_IN_BATCH = 2_000
/** Between batches, for whom SQLite keeps waiting. */
const PAUSE_MIN_MS = 10

/** How many rows a domain has in each table. */
export async function countDomainRows(
  db: Kysely<Schema>,
  domainId: number,
): Promise<Record<Table | 'identifications', number>> {
  const counts: Partial<Record<Table | 'identifications', number>> = {}
  for (const table of ['identifications', ...TABLES] as const) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(table)} where domain_id = ${domainId}`.execute(db)
    counts[table] = rows[0]?.count ?? 0
  }
  return counts as Record<Table | 'identifications', number>
}

interface RemovalOptions {
  nowMs: number
  /** Recorded in the audit log. */
  actor: string
  /** Called after each batch with the number of rows that it removed. */
  progress?: (rows: number) => void
}

/**
 * Removes a domain with everything that was stored for it. It is disabled first, then its rows go in batches, and in
 * the end the domain itself: after an interruption run it again. A server may keep running: what it stores meanwhile
 * is removed in the end, and what it wants to store later is refused.
 */
export async function removeDomain(
  store: Store,
  { id, name }: Pick<DomainRow, 'id' | 'name'>,
  { nowMs, actor, progress = () => {} }: RemovalOptions,
): Promise<void> {
  await store.longWrites.transaction().execute(async (transaction) => {
    await domainStore(transaction).change(id, { enabled: 0 })
    await noteUnscrubbed(transaction, id)
  })
  let identifications = 0
  await inBatches(VISITS_IN_BATCH, async () => {
    const removed = await store.longWrites
      .transaction()
      .execute((transaction) => removeSomeVisits(transaction, id))
    identifications += removed
    progress(removed)
    return removed
  })
  for (const table of TABLES)
    await inBatches(ROWS_IN_BATCH, async () => {
      const removed = await removeSomeRows(store.longWrites, table, id)
      progress(removed)
      return removed
    })

  await store.longWrites.transaction().execute(async (transaction) => {
    await engineSql(transaction).holdCommits(transaction)
    // What was stored since: little, because servers refuse the keys of a disabled domain.
    while ((await removeSomeVisits(transaction, id)) > 0);
    await engineSql(transaction).dropUnwrittenCounts(transaction, id)
    for (const table of TABLES)
      await sql`delete from ${sql.table(table)} where domain_id = ${id}`.execute(transaction)
    // Nobody can read what is in them any more; a job of the server removes them.
    await transaction
      .updateTable('cold_objects')
      .set({ state: 'removing' })
      .where('domain_id', '=', id)
      .execute()
    await transaction.deleteFrom('domains').where('id', '=', id).execute()
    await bumpForRemovedVerdicts(transaction)
    await noteUnscrubbed(transaction, id)
    await auditStore(transaction).add(
      { actor, action: 'domain.remove', target: name, detail: { identifications } },
      nowMs,
    )
  })
}

/** Runs until a batch is not full, and leaves the database to others for as long as each batch took. */
async function inBatches(size: number, run: () => Promise<number>): Promise<void> {
  for (;;) {
    const startedMs = performance.now()
    if ((await run()) < size) return
    await pause(Math.max(PAUSE_MIN_MS, performance.now() - startedMs))
  }
}

async function removeSomeVisits(transaction: Kysely<Schema>, domainId: number): Promise<number> {
  const rows = await transaction
    .selectFrom('identifications')
    .select(['id', 'request_id'])
    .where('domain_id', '=', domainId)
    .limit(VISITS_IN_BATCH)
    .execute()
  if (rows.length > 0) await removeVisits(transaction, domainId, rows)
  return rows.length
}

async function removeSomeRows(db: Kysely<Schema>, table: Table, domainId: number): Promise<number> {
  const key = sql.join(keyOf(table).map((column) => sql.ref(column)))
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where domain_id = ${domainId} and (${key}) in (
      select ${key} from ${sql.table(table)} where domain_id = ${domainId} limit ${ROWS_IN_BATCH})`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}

const keyOf = (table: Table): readonly string[] => MOVED_TABLES.find(({ name }) => name === table)?.key ?? []
