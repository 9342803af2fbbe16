import type { ClientBase } from 'pg'
import { VELOCITY_SUBJECTS } from '../../visit/velocity.ts'
import { countsFrom, storedCounts } from '../velocity/subject-counts.ts'
import {
  type CountedSubject,
  type HashedVisit,
  keysOfVisits,
  nameOfKey,
  newCounted,
  subjectIdOf,
  subjectKeyOf,
  type VelocityBatch,
  velocityBatch,
} from '../velocity/velocity-batch.ts'
import type { VelocityTable } from '../visit-tables.ts'
import { arrayStatement } from './array-statement.ts'
import { LostRace } from './lost-race.ts'

/** Reads the states of all subjects of these visits, which no other transaction changes until this one ends. */
export async function lockVelocity(
  client: ClientBase,
  visits: readonly HashedVisit[],
): Promise<VelocityBatch> {
  const keys = keysOfVisits(visits)
  const states = new Map<string, CountedSubject>()
  if (keys.length > 0) {
    const { rows } = await LOCK.run<Omit<VelocityTable, 'updated_at'>>(client, keys)
    for (const { state, ...key } of rows) {
      const subject = VELOCITY_SUBJECTS[key.subject]
      if (subject) states.set(nameOfKey(key), newCounted(subjectIdOf(key), countsFrom(subject, state)))
    }
  }
  return velocityBatch((name) => states.get(name))
}

/** @throws LostRace where another transaction has stored the first visit of a subject meanwhile */
export async function saveVelocity(client: ClientBase, velocity: VelocityBatch): Promise<void> {
  const rows = [...velocity.changed.values()].map((one) => ({
    ...subjectKeyOf(one),
    state: storedCounts(one.counts),
    updated_at: one.updatedAt,
    stored: one.isStored,
  }))
  if (rows.length === 0) return
  const { rows: results } = await SAVE.run<{ saved: number }>(client, rows)
  if (results[0]?.saved !== rows.length) throw new LostRace('another transaction stored a state')
}

const KEY = { domain_id: 'integer', subject: 'integer', hash: 'bytes' } as const

const LOCK = arrayStatement(
  'lock velocity',
  KEY,
  (rows, ofGiven) => `select v.domain_id, v.subject, v.hash, v.state
    from ${rows} join velocity v using (domain_id, subject, hash)
    where ${ofGiven('v.domain_id')}
    order by v.domain_id, v.subject, v.hash for update of v`,
)
const SAVE = arrayStatement(
  'save velocity',
  { ...KEY, state: 'bytes', updated_at: 'integer', stored: 'boolean' },
  (rows, ofGiven) => `with given as materialized (select * from ${rows}),
    changed as (
      update velocity v set state = given.state, updated_at = greatest(v.updated_at, given.updated_at)
      from given
      where given.stored and ${ofGiven('v.domain_id')}
        and v.domain_id = given.domain_id and v.subject = given.subject and v.hash = given.hash
      returning 1),
    added as (
      insert into velocity (domain_id, subject, hash, state, updated_at)
      select domain_id, subject, hash, state, updated_at from given where not stored
      order by domain_id, subject, hash
      on conflict do nothing returning 1)
    select (select count(*) from changed) + (select count(*) from added) as saved`,
)
