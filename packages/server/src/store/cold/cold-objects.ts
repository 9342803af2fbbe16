import type { Kysely, Selectable } from 'kysely'
import type { ColdObjectTable, ColdProgressTable } from '../cold-tables.ts'
import type { Schema } from '../schema.ts'

export type ColdObjectRow = Selectable<ColdObjectTable>
type ColdObjectKey = Pick<ColdObjectRow, 'domain_id' | 'object'>
export type ColdPosition = Omit<ColdProgressTable, 'domain_id'>

/** The objects in the cold storage, and up to which visit a domain's bodies are in it. */
export const coldObjects = (db: Kysely<Schema>) => ({
  /** Before it is written, so that a crash leaves no object that nobody knows. */
  announce: (row: ColdObjectRow): Promise<unknown> => db.insertInto('cold_objects').values(row).execute(),

  /** @returns false when it is no longer being written: another run has taken it for what a crash left */
  store: (object: ColdObjectKey): Promise<boolean> => moveOn(db, object, { from: ['writing'], to: 'stored' }),

  /** @returns false when it is stored, or when another run has removed it */
  abandon: (object: ColdObjectKey): Promise<boolean> =>
    moveOn(db, object, { from: ['writing', 'removing'], to: 'removing' }),

  change: (
    { domain_id, object }: ColdObjectKey,
    values: Partial<Pick<ColdObjectRow, 'state' | 'bodies_left' | 'checked_at'>>,
  ): Promise<unknown> =>
    db
      .updateTable('cold_objects')
      .set(values)
      .where('domain_id', '=', domain_id)
      .where('object', '=', object)
      .execute(),

  forget: ({ domain_id, object }: ColdObjectKey): Promise<unknown> =>
    db.deleteFrom('cold_objects').where('domain_id', '=', domain_id).where('object', '=', object).execute(),

  /** Objects that a crash left half written or half removed, and those of removed domains. */
  leftOver: (): Promise<ColdObjectRow[]> =>
    db.selectFrom('cold_objects').selectAll().where('state', '!=', 'stored').execute(),

  /** Those that were not looked at for the longest time, which is before `checkedBefore`. */
  due: (checkedBefore: number, limit: number): Promise<ColdObjectRow[]> =>
    db
      .selectFrom('cold_objects')
      .selectAll()
      .where('state', '=', 'stored')
      .where('checked_at', '<', checkedBefore)
      .orderBy('checked_at')
      .limit(limit)
      .execute(),

  async totals(): Promise<{ objects: number; bytes: number }> {
    const row = await db
      .selectFrom('cold_objects')
      .select(({ fn }) => [fn.countAll<number>().as('objects'), fn.sum<number | null>('bytes').as('bytes')])
      .executeTakeFirstOrThrow()
    return { objects: row.objects, bytes: Number(row.bytes ?? 0) }
  },

  /** The last visit of the domain whose bodies were looked at. */
  async position(domainId: number): Promise<ColdPosition> {
    const row = await db
      .selectFrom('cold_progress')
      .select(['created_at', 'identification_id'])
      .where('domain_id', '=', domainId)
      .executeTakeFirst()
    return row ?? { created_at: 0, identification_id: 0 }
  },

  advance: (domainId: number, position: ColdPosition): Promise<unknown> =>
    db
      .insertInto('cold_progress')
      .values({ domain_id: domainId, ...position })
      .onConflict((conflict) => conflict.column('domain_id').doUpdateSet(position))
      .execute(),

  /** Begins with the oldest visit again. */
  beginAgain: (domainId: number): Promise<unknown> =>
    db.deleteFrom('cold_progress').where('domain_id', '=', domainId).execute(),
})

type ColdObjectState = ColdObjectRow['state']

/** @returns whether the object was in one of the states */
async function moveOn(
  db: Kysely<Schema>,
  { domain_id, object }: ColdObjectKey,
  { from, to }: { from: ColdObjectState[]; to: ColdObjectState },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('cold_objects')
    .set({ state: to })
    .where('domain_id', '=', domain_id)
    .where('object', '=', object)
    .where('state', 'in', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
