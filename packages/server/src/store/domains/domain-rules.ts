import type { OwnWeights } from '@inkling/contract'
import type { Kysely, Selectable } from 'kysely'
import type { DomainRulesTable } from '../domain-tables.ts'
import type { Schema } from '../schema.ts'
import { bumpDirectoryVersion } from './domains.ts'

export type DomainRulesRow = Selectable<DomainRulesTable>

export const readWeights = ({ weights }: Pick<DomainRulesRow, 'weights'>): OwnWeights =>
  JSON.parse(weights) as OwnWeights

export interface RulesToSave {
  weights: OwnWeights
  actor: string
  note: string
}

/** Versions of the domains' own weights. Writes need a transaction. */
export const domainRulesStore = (db: Kysely<Schema>) => ({
  listActive: (): Promise<DomainRulesRow[]> =>
    db.selectFrom('domain_rules').selectAll().where('active', '=', 1).execute(),

  active: (domainId: number): Promise<DomainRulesRow | undefined> =>
    db
      .selectFrom('domain_rules')
      .selectAll()
      .where('domain_id', '=', domainId)
      .where('active', '=', 1)
      .executeTakeFirst(),

  /** Newest first. */
  list: (domainId: number): Promise<DomainRulesRow[]> =>
    db
      .selectFrom('domain_rules')
      .selectAll()
      .where('domain_id', '=', domainId)
      .orderBy('version', 'desc')
      .execute(),

  /** Adds a version and activates it. */
  async save(
    domainId: number,
    { weights, actor, note }: RulesToSave,
    nowMs: number,
  ): Promise<DomainRulesRow> {
    const [newest] = await this.list(domainId)
    await deactivate(db, domainId)
    const saved = await db
      .insertInto('domain_rules')
      .values({
        domain_id: domainId,
        version: (newest?.version ?? 0) + 1,
        created_at: nowMs,
        actor,
        note,
        weights: JSON.stringify(weights),
        active: 1,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await bumpDirectoryVersion(db)
    return saved
  },

  /**
   * Activates a version.
   * @param version null for the weights of the release
   * @returns whether the version exists
   */
  async choose(domainId: number, version: number | null): Promise<boolean> {
    if (version !== null && !(await this.list(domainId)).some((row) => row.version === version)) return false
    await deactivate(db, domainId)
    if (version !== null)
      await db
        .updateTable('domain_rules')
        .set({ active: 1 })
        .where('domain_id', '=', domainId)
        .where('version', '=', version)
        .execute()
    await bumpDirectoryVersion(db)
    return true
  },
})

const deactivate = (db: Kysely<Schema>, domainId: number): Promise<unknown> =>
  db.updateTable('domain_rules').set({ active: 0 }).where('domain_id', '=', domainId).execute()
