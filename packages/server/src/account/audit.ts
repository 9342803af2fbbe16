import type { Kysely } from 'kysely'
import type { Schema } from '../store/schema.ts'
import { type AuditEntry, auditStore } from '../store/users/users.ts'
import type { AccountDeps } from './handler.ts'

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
