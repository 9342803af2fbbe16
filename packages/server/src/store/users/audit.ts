import type { Kysely, Selectable } from 'kysely'
import type { AuditTable, Schema } from '../schema.ts'

export type AuditRow = Selectable<AuditTable>

export interface AuditEntry {
  /** E-mail address, or `command line`. */
  actor: string
  /** Such as `domain.add`. */
  action: string
  target: string
  /** What it became; neither secrets nor identifiers of visitors. */
  detail?: Record<string, string | number | boolean>
}

export const COMMAND_LINE = 'command line'

/** Who changed what. Entries are written in the transaction of the change. */
export const auditStore = (db: Kysely<Schema>) => ({
  add: ({ actor, action, target, detail = {} }: AuditEntry, nowMs: number): Promise<unknown> =>
    db
      .insertInto('audit')
      .values({ at: nowMs, actor, action, target, detail: JSON.stringify(detail) })
      .execute(),

  /**
   * Newest first.
   * @param beforeId only older entries than this one
   */
  list(beforeId: number | undefined, limit: number): Promise<AuditRow[]> {
    let entries = db.selectFrom('audit').selectAll()
    if (beforeId !== undefined) entries = entries.where('id', '<', beforeId)
    return entries.orderBy('id', 'desc').limit(limit).execute()
  },
})
