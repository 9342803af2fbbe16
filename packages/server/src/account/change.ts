import type { Kysely } from 'kysely'
import type { Schema } from '../store/schema.ts'
import { type AuditEntry, auditStore } from '../store/users/audit.ts'
import type { AccountDeps } from './account-deps.ts'

/**
 * Makes a change and its audit entry in one transaction. `make` answers undefined when there was nothing to
 * change; then there is no entry either. Requests see the change when this resolves.
 */
export async function change<Made>(
  { store, directory, now }: Pick<AccountDeps, 'store' | 'directory' | 'now'>,
  entry: AuditEntry,
  make: (transaction: Kysely<Schema>) => Promise<Made | undefined>,
): Promise<Made | undefined> {
  const made = await store.writes.transaction().execute(async (transaction) => {
    const result = await make(transaction)
    if (result !== undefined) await auditStore(transaction).add(entry, now())
    return result
  })
  await directory.refresh()
  return made
}
