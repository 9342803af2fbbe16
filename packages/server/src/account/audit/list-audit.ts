import { auditStore } from '../../store/users/audit.ts'
import { readCursor, writeCursor } from '../cursor.ts'
import type { Handler } from '../handler.ts'
import { presentTime } from '../present-time.ts'

export const listAudit: Handler<'listAudit'> = async ({ query }, { store }) => {
  const [before] = readCursor(query.cursor, 1) ?? []
  const rows = await auditStore(store.reads).list(before, query.limit)
  const last = rows.length === query.limit ? rows.at(-1) : undefined
  return {
    data: rows.map(({ id, at, actor, action, target, detail }) => ({
      id,
      at: presentTime(at),
      actor,
      action,
      target,
      detail: JSON.parse(detail),
    })),
    next: last ? writeCursor([last.id]) : null,
  }
}
