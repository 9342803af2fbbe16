import { presentTime } from '@inkling/contract'
import type { AUDIT_OPERATIONS, AuditPage } from '@inkling/contract/account'
import { type AuditRow, auditStore } from '../store/users/users.ts'
import { type Position, readCursor, writeCursor } from './cursor.ts'
import { findDomain } from './domains.ts'
import type { Handlers } from './handler.ts'

export const auditOperations: Handlers<typeof AUDIT_OPERATIONS> = {
  listAudit: async ({ query }, { store }) => {
    const [before] = readCursor(query.cursor, 1) ?? []
    const rows = await auditStore(store.reads).list(before, query.limit)
    return presentPage(rows, query.limit, ({ id }) => [id])
  },

  listDomainAudit: async ({ params, query }, { store }) => {
    const domain = await findDomain(store, params.domain)
    const [at, id] = readCursor(query.cursor, 2) ?? []
    const before = at === undefined || id === undefined ? undefined : ([at, id] as const)
    const rows = await auditStore(store.reads).listOfDomain(domain, before, query.limit)
    return presentPage(rows, query.limit, (row) => [row.at, row.id])
  },
}

function presentPage(
  rows: readonly AuditRow[],
  limit: number,
  positionOf: (row: AuditRow) => Position,
): AuditPage {
  const last = rows.length === limit ? rows.at(-1) : undefined
  return {
    data: rows.map(({ id, at, actor, action, target, detail }) => ({
      id,
      at: presentTime(at),
      actor,
      action,
      target,
      detail: JSON.parse(detail),
    })),
    next: last ? writeCursor(positionOf(last)) : null,
  }
}
