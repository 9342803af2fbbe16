import { presentTime } from '@inkling/contract'
import type { AUDIT_OPERATIONS } from '@inkling/contract/account'
import type { Kysely } from 'kysely'
import type { Schema } from '../store/schema.ts'
import { type AuditEntry, auditStore } from '../store/users/users.ts'
import { readCursor, writeCursor } from './cursor.ts'
import type { AccountDeps, Handlers } from './handler.ts'

export const auditOperations: Handlers<typeof AUDIT_OPERATIONS> = {
  listAudit: async ({ query }, { store }) => {
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
  },
}

/**
 * Makes a change and records it in one transaction. If `make` returns undefined, nothing changed and nothing is
 * recorded. When the promise resolves, requests to this process see the change.
 */
export async function recordChange<Made>(
  { store, directory, now }: Pick<AccountDeps, 'store' | 'directory' | 'now'>,
  entry: AuditEntry | ((made: Made) => AuditEntry),
  make: (transaction: Kysely<Schema>) => Promise<Made | undefined>,
): Promise<Made | undefined> {
  const made = await store.writes.transaction().execute(async (transaction) => {
    const result = await make(transaction)
    if (result !== undefined)
      await auditStore(transaction).add(typeof entry === 'function' ? entry(result) : entry, now())
    return result
  })
  await directory.refresh()
  return made
}
