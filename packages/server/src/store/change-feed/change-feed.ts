import { type Kysely, type Selectable, SqliteAdapter, sql } from 'kysely'
import type { ChangeFeedTable, LateChangeTable } from '../count-tables.ts'
import type { DecisionTable } from '../decision-tables.ts'
import { engineSql } from '../engine-sql.ts'
import { type IdRange, inRange, nextIdRange } from '../identifications/id-range.ts'
import type { IdentificationRow } from '../identifications/identifications.ts'
import type { Schema } from '../schema.ts'
import { SETTLED_MS } from './is-late-change.ts'

export type FeedPosition = Pick<ChangeFeedTable, 'identification_id' | 'decision_id' | 'sequence'>
export type LateChange = Selectable<LateChangeTable>
type DecisionRow = Selectable<DecisionTable>
type FeedTable = 'identifications' | 'decisions'

/** The position of the change feed and what it reads. */
export const changeFeedStore = (db: Kysely<Schema>) => ({
  /** Begins a run. The first one begins with the oldest row. */
  begin: (nowMs: number): Promise<unknown> =>
    db
      .insertInto('change_feed')
      .values({ id: 1, identification_id: 0, decision_id: 0, sequence: 0, written_at: nowMs })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ written_at: nowMs }))
      .execute(),

  /** Undefined while the feed has not begun. */
  position: (): Promise<FeedPosition | undefined> =>
    db.selectFrom('change_feed').select(['identification_id', 'decision_id', 'sequence']).executeTakeFirst(),

  /** Takes sequence numbers, before the rows are read that get them. @returns false if another node has been faster */
  async reserve({ sequence }: FeedPosition, count: number): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('change_feed')
      .set({ sequence: sequence + count })
      .where('sequence', '=', sequence)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },

  /** Moves on, if nothing came between since the numbers were reserved. Needs a transaction. */
  async advance({ sequence, ...position }: FeedPosition, late: readonly LateChange[]): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('change_feed')
      .set(position)
      .where('sequence', '=', sequence)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    for (const { domain_id, kind, row_id, ver, key } of late)
      await db
        .deleteFrom('late_changes')
        .where('domain_id', '=', domain_id)
        .where('kind', '=', kind)
        .where('row_id', '=', row_id)
        .where('ver', '=', ver)
        .where('key', '=', key)
        .execute()
    return true
  },

  identifications: (range: IdRange): Promise<IdentificationRow[]> =>
    db.selectFrom('identifications').selectAll().where(inRange(db, range)).orderBy('id').execute(),

  async decisions(after: number, through: number, limit: number): Promise<DecisionRow[]> {
    if (after >= through) return []
    return db
      .selectFrom('decisions')
      .selectAll()
      .where('id', '>', after)
      .where('id', '<=', through)
      .orderBy('id')
      .limit(limit)
      .execute()
  },

  lateChanges: (limit: number): Promise<LateChange[]> =>
    db.selectFrom('late_changes').selectAll().limit(limit).execute(),

  changedIdentifications: (changes: readonly LateChange[]): Promise<IdentificationRow[]> =>
    rowsOf(changes, 'identification', (domainId, ids) =>
      db
        .selectFrom('identifications')
        .selectAll()
        .where(engineSql(db).besideIds('domain_id'), '=', domainId)
        .where('id', 'in', ids)
        .execute(),
    ),

  changedDecisions: (changes: readonly LateChange[]): Promise<DecisionRow[]> =>
    rowsOf(changes, 'decision', (domainId, ids) =>
      db
        .selectFrom('decisions')
        .selectAll()
        .where('domain_id', '=', domainId)
        .where('id', 'in', ids)
        .execute(),
    ),
})

async function rowsOf<Row>(
  changes: readonly LateChange[],
  kind: LateChange['kind'],
  read: (domainId: number, ids: number[]) => Promise<Row[]>,
): Promise<Row[]> {
  const ofKind = changes.filter((change) => change.kind === kind)
  const rows: Row[] = []
  for (const [domainId, ofDomain] of Map.groupBy(ofKind, ({ domain_id }) => domain_id))
    rows.push(...(await read(domainId, [...new Set(ofDomain.map(({ row_id }) => row_id))])))
  return rows
}

/** How long the oldest row that could be in the feed has been waiting, in milliseconds; undefined without a feed. */
export async function feedDelayMs(db: Kysely<Schema>, nowMs: number): Promise<number | undefined> {
  const position = await changeFeedStore(db).position()
  if (!position) return undefined
  const limits = { nowMs, settledAfterMs: SETTLED_MS, limit: 1 }
  const [visit, decisions] = await Promise.all([
    // What a worker has yet to end makes the delay no shorter.
    nextIdRange({ jobReads: db, areCommitsEnded: async () => true }, position.identification_id, limits),
    changeFeedStore(db).decisions(position.decision_id, Number.MAX_SAFE_INTEGER, 1),
  ])
  const delays = decisions.map(({ decided_at }) => nowMs - decided_at)
  if (visit) delays.push(nowMs - SETTLED_MS - visit.fromMs)
  return Math.max(0, ...delays)
}

/**
 * Forgets where a feed was that no node has written since `beforeMs`, and the changes that were noted for it. It begins
 * again with the oldest row if it is switched on again; sequence numbers are not used twice. Erasures are kept: no row
 * that is still there would tell of them.
 */
export async function endForgottenFeed(transaction: Kysely<Schema>, beforeMs: number): Promise<void> {
  const { numUpdatedRows } = await transaction
    .updateTable('change_feed')
    .set({ written_at: null, identification_id: 0, decision_id: 0 })
    .where('written_at', '<', beforeMs)
    .executeTakeFirst()
  if (numUpdatedRows > 0n)
    await transaction.deleteFrom('late_changes').where('kind', '<>', 'removal').execute()
}

/**
 * The embedded database gives the numbers of its newest rows, once they are removed, to the next ones: the feed must not
 * be past them. Needs a transaction.
 */
export async function keepFeedBehind<Result>(
  transaction: Kysely<Schema>,
  remove: () => Promise<Result>,
): Promise<Result> {
  if (!(transaction.getExecutor().adapter instanceof SqliteAdapter)) return remove()
  const newest = (table: FeedTable) => sql<number>`coalesce((select max(id) from ${sql.table(table)}), 0)`
  const readNewest = async () => {
    const { rows } = await sql<{ identification: number; decision: number }>`
      select ${newest('identifications')} as identification, ${newest('decisions')} as decision`.execute(
      transaction,
    )
    return rows[0] ?? { identification: 0, decision: 0 }
  }
  const before = await readNewest()
  const result = await remove()
  const after = await readNewest()
  if (after.identification < before.identification || after.decision < before.decision)
    // A run that has read the removed rows does not move on with another sequence, and reads again.
    await sql`update change_feed set sequence = sequence + 1,
      identification_id = min(identification_id, ${after.identification}),
      decision_id = min(decision_id, ${after.decision})`.execute(transaction)
  return result
}
