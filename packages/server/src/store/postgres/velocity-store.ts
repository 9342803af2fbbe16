import type { Kysely } from 'kysely'
import { VELOCITY_SUBJECTS } from '../../visit/velocity.ts'
import { engineSql } from '../engine-sql.ts'
import type { Schema } from '../schema.ts'
import { nameOfKey, type VelocityKey } from '../velocity/velocity-batch.ts'
import { decodeState, encodeState, forgetValue } from '../velocity/velocity-state.ts'
import type { ForgottenCounts, VelocityStore } from '../velocity/velocity-store.ts'

/** The commit of a visit writes its counts, so that the table is always up to date. */
export const postgresVelocity = (reads: Kysely<Schema>, writes: Kysely<Schema>): VelocityStore => ({
  async read({ domain_id, subject: index, hash }) {
    const row = await reads
      .selectFrom('velocity')
      .select('state')
      .where('domain_id', '=', domain_id)
      .where('subject', '=', index)
      .where('hash', '=', hash)
      .executeTakeFirst()
    const subject = VELOCITY_SUBJECTS[index]
    return row && subject && decodeState(subject, row.state)
  },
  // By itself, because identifications are locked after states and not before them.
  settle: async (forgotten) =>
    void (forgotten && (await writes.transaction().execute((transaction) => forget(transaction, forgotten)))),
})

/**
 * Has each domain to itself, and writes its row, so that no node counts on from what it knew of it. States are locked as well,
 * in the order of nodes of the release before, which take no lock of the domain.
 */
async function forget(
  transaction: Kysely<Schema>,
  { removed, changed, values }: ForgottenCounts,
): Promise<void> {
  const isRemoved = new Set(removed.map(nameOfKey))
  const keys = Map.groupBy([...removed, ...changed], ({ domain_id }) => domain_id)
  for (const [domainId, ofDomain] of [...keys].sort(([a], [b]) => a - b)) {
    await engineSql(transaction).holdCounts(transaction, [domainId])
    for (const index of VELOCITY_SUBJECTS.keys()) {
      const hashes = ofDomain.filter(({ subject }) => subject === index).map(({ hash }) => hash)
      if (hashes.length === 0) continue
      const rows = await transaction
        .selectFrom('velocity')
        .select(['domain_id', 'subject', 'hash', 'state'])
        .where('domain_id', '=', domainId)
        .where('subject', '=', index)
        .where('hash', 'in', hashes)
        .orderBy('hash')
        .forUpdate()
        .execute()
      for (const row of rows)
        if (isRemoved.has(nameOfKey(row))) await removeState(transaction, row)
        else await forgetValues(transaction, row, values)
    }
    await touchDomain(transaction, domainId)
  }
}

const touchDomain = (transaction: Kysely<Schema>, domainId: number): Promise<unknown> =>
  transaction
    .updateTable('domains')
    .set(({ ref }) => ({ remaining: ref('remaining') }))
    .where('id', '=', domainId)
    .execute()

const removeState = (
  transaction: Kysely<Schema>,
  { domain_id, subject, hash }: VelocityKey,
): Promise<unknown> =>
  transaction
    .deleteFrom('velocity')
    .where('domain_id', '=', domain_id)
    .where('subject', '=', subject)
    .where('hash', '=', hash)
    .execute()

async function forgetValues(
  transaction: Kysely<Schema>,
  { domain_id, subject: index, hash, state: bytes }: VelocityKey & { state: Uint8Array },
  values: ForgottenCounts['values'],
): Promise<void> {
  const subject = VELOCITY_SUBJECTS[index]
  if (!subject) return
  const state = decodeState(subject, bytes)
  for (const [counter, value] of values) forgetValue(state, counter, value)
  await transaction
    .updateTable('velocity')
    .set({ state: encodeState(state) })
    .where('domain_id', '=', domain_id)
    .where('subject', '=', index)
    .where('hash', '=', hash)
    .execute()
}
