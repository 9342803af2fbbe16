import type { Kysely } from 'kysely'
import { VELOCITY_SUBJECTS } from '../../visit/velocity.ts'
import type { Schema } from '../schema.ts'
import { decodeVisits } from '../velocity/logged-visits.ts'
import { countsFrom, stateOf } from '../velocity/subject-counts.ts'
import {
  nameOfKey,
  newCounted,
  recountVisit,
  subjectIdOf,
  type VelocityKey,
} from '../velocity/velocity-batch.ts'
import type { VelocityState } from '../velocity/velocity-state.ts'
import type { ForgottenCounts, VelocityStore } from '../velocity/velocity-store.ts'

export const sqliteVelocity = (
  reads: Kysely<Schema>,
  settle: (forgotten: ForgottenCounts | undefined) => Promise<unknown>,
): VelocityStore => ({
  async read(key) {
    // Before the state, which then holds all visits that have left the log since.
    const logged = await reads
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
    const log = logged.filter(({ id, visits }) => id > (row?.logged ?? 0) && mayCount(visits, key))
    return withLogged(key, row?.state, log)
  },
  settle: async (forgotten) => void (await settle(forgotten)),
})

/** Whether the hash is among those of the visits, or happens to be in their bytes. */
const mayCount = ({ buffer, byteOffset, byteLength }: Uint8Array, { hash }: VelocityKey): boolean =>
  Buffer.from(buffer, byteOffset, byteLength).includes(hash)

function withLogged(
  key: VelocityKey,
  stored: Uint8Array | undefined,
  log: readonly { visits: Uint8Array }[],
): VelocityState | undefined {
  const subject = VELOCITY_SUBJECTS[key.subject]
  if (!subject) return undefined
  const own = nameOfKey(key)
  let one = stored && newCounted(subjectIdOf(key), countsFrom(subject, stored))
  for (const { visits } of log)
    for (const visit of decodeVisits(key.domain_id, visits))
      recountVisit(visit, (name, id) => {
        if (name === own) one ??= newCounted(id)
        return name === own ? one : undefined
      })
  return one && stateOf(subject, one.counts)
}
