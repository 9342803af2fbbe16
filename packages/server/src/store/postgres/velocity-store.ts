import type { Kysely } from 'kysely'
import { VELOCITY_SUBJECTS } from '../../visit/velocity.ts'
import type { Schema } from '../schema.ts'
import { compareKeys, type VelocityKey } from '../velocity/velocity-batch.ts'
import { decodeState, encodeState, forgetValue } from '../velocity/velocity-state.ts'
import type { ForgottenCounts, VelocityStore } from '../velocity/velocity-store.ts'

/** The commit of a visit writes its counts, so that the table is always up to date. */
export const postgresVelocity = (reads: Kysely<Schema>, writes: Kysely<Schema>): VelocityStore => ({
  async read(key) {
    const row = await stateOf(reads, key).executeTakeFirst()
    const subject = VELOCITY_SUBJECTS[key.subject]
    return row && subject && decodeState(subject, row.state)
  },
  // By itself, because identifications are locked after states and not before them.
  settle: async (forgotten) =>
    void (forgotten && (await writes.transaction().execute((transaction) => forget(transaction, forgotten)))),
})

const stateOf = (db: Kysely<Schema>, { domain_id, subject, hash }: VelocityKey) =>
  db
    .selectFrom('velocity')
    .select('state')
    .where('domain_id', '=', domain_id)
    .where('subject', '=', subject)
    .where('hash', '=', hash)

async function forget(
  transaction: Kysely<Schema>,
  { removed, changed, values }: ForgottenCounts,
): Promise<void> {
  const isRemoved = new Set(removed)
  for (const key of [...removed, ...changed].sort(compareKeys)) {
    const { domain_id, subject, hash } = key
    if (isRemoved.has(key))
      await transaction
        .deleteFrom('velocity')
        .where('domain_id', '=', domain_id)
        .where('subject', '=', subject)
        .where('hash', '=', hash)
        .execute()
    else await forgetValues(transaction, key, values)
  }
}

async function forgetValues(
  transaction: Kysely<Schema>,
  key: VelocityKey,
  values: ForgottenCounts['values'],
): Promise<void> {
  const row = await stateOf(transaction, key).forUpdate().executeTakeFirst()
  const subject = VELOCITY_SUBJECTS[key.subject]
  if (!row || !subject) return
  const state = decodeState(subject, row.state)
  for (const [counter, value] of values) forgetValue(state, counter, value)
  await transaction
    .updateTable('velocity')
    .set({ state: encodeState(state) })
    .where('domain_id', '=', key.domain_id)
    .where('subject', '=', key.subject)
    .where('hash', '=', key.hash)
    .execute()
}
