import type { Kysely } from 'kysely'
import { VELOCITY_SUBJECTS } from '../../visit/velocity.ts'
import type { Schema } from '../schema.ts'
import { decodeVisits } from '../velocity/logged-visits.ts'
import { nameOfKey, recountVisit, type VelocityKey } from '../velocity/velocity-batch.ts'
import { decodeState, type VelocityState } from '../velocity/velocity-state.ts'
import type { ForgottenCounts, VelocityStore } from '../velocity/velocity-store.ts'

export const sqliteVelocity = (
  reads: Kysely<Schema>,
  settle: (forgotten: ForgottenCounts | undefined) => Promise<unknown>,
): VelocityStore => ({
  async read(key) {
    // Before the state, which then holds all visits that have left the log since.
    const log = await reads
      .selectFrom('velocity_log')
      .select(['id', 'visits'])
      .where('domain_id', '=', key.domain_id)
      .orderBy('id')
      .execute()
    const row = await reads
      .selectFrom('velocity')
      .select(['state', 'logged'])
      .where('domain_id', '=', key.domain_id)
      .where('subject', '=', key.subject)
      .where('hash', '=', key.hash)
      .executeTakeFirst()
    const subject = VELOCITY_SUBJECTS[key.subject]
    const state = row && subject && decodeState(subject, row.state)
    return withLogged(
      key,
      state,
      log.filter(({ id }) => id > (row?.logged ?? 0)),
    )
  },
  settle: async (forgotten) => void (await settle(forgotten)),
})

function withLogged(
  key: VelocityKey,
  stored: VelocityState | undefined,
  log: readonly { visits: Uint8Array }[],
): VelocityState | undefined {
  const name = nameOfKey(key)
  let state = stored
  for (const { visits } of log)
    for (const visit of decodeVisits(key.domain_id, visits))
      recountVisit(visit, (one, count) => {
        if (nameOfKey(one) === name) state = count(state)
      })
  return state
}
