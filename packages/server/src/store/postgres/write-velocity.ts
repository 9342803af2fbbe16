import type { ClientBase } from 'pg'
import { VELOCITY_SUBJECTS } from '../../visit/velocity.ts'
import { countsFrom, sizeOf, storedCounts } from '../velocity/subject-counts.ts'
import {
  type CountedSubject,
  type HashedVisit,
  keysOfVisits,
  nameOfKey,
  newCounted,
  subjectIdOf,
  subjectKeyOf,
  type VelocityBatch,
  type VelocityKey,
  velocityBatch,
} from '../velocity/velocity-batch.ts'
import type { VelocityTable } from '../visit-tables.ts'
import { arrayStatement, guard } from './array-statement.ts'
import type { DomainVersion, KnownCounts } from './known-counts.ts'
import { letRun, type StatementsSent } from './pools.ts'

/**
 * Locks the domains, so that no other transaction counts visits of theirs until this one ends, and finds the counts of the
 * visits' subjects, in memory or in the table.
 */
export async function lockVelocity(
  client: ClientBase,
  visits: readonly HashedVisit[],
  { domainIds, known }: { domainIds: Iterable<number>; known: KnownCounts },
): Promise<VelocityBatch> {
  const keys = new Map(keysOfVisits(visits).map((key) => [nameOfKey(key), key]))
  const unknown = [...keys].filter(([name, { domain_id }]) => known.isShared(domain_id) || !known.get(name))
  // In one journey: what is read behind the lock is as of its time.
  const [{ rows: versions }, read] = await Promise.all([
    LOCK.run<DomainVersion & { id: number }>(client, idsOf(domainIds)),
    readCounts(client, unknown),
  ])
  for (const { id, ...version } of versions) known.begin(id, version)
  const found = new Map<string, CountedSubject>()
  for (const name of keys.keys()) {
    const one = known.get(name)
    if (one) found.set(name, one)
  }
  const wasRead = new Set(unknown.map(([name]) => name))
  const forgotten = [...keys].filter(([name]) => !wasRead.has(name) && !found.has(name))
  const readAgain = await readCounts(client, forgotten)
  return velocityBatch((name) => found.get(name) ?? read.get(name) ?? readAgain.get(name))
}

/** Sorted, so that all transactions lock domains in the same order and cannot deadlock. */
const idsOf = (domainIds: Iterable<number>) => [...domainIds].sort((a, b) => a - b).map((id) => ({ id }))

async function readCounts(
  client: ClientBase,
  keys: readonly (readonly [string, VelocityKey])[],
): Promise<ReadonlyMap<string, CountedSubject>> {
  if (keys.length === 0) return new Map()
  const { rows } = await READ.run<Omit<VelocityTable, 'updated_at'>>(
    client,
    keys.map(([, key]) => key),
  )
  return new Map(
    rows.flatMap(({ state, ...key }) => {
      const subject = VELOCITY_SUBJECTS[key.subject]
      if (!subject) return []
      return [[nameOfKey(key), newCounted(subjectIdOf(key), countsFrom(subject, state))] as const]
    }),
  )
}

/** Writes the counts. It fails where a state is gone, or another transaction has stored the first visit of a subject. */
export function saveVelocity(
  client: ClientBase,
  velocity: VelocityBatch,
  { known, sent }: { known: KnownCounts; sent: StatementsSent },
): void {
  const rows = [...velocity.changed].map(([name, one]) => {
    const state = storedCounts(one.counts)
    const row = { ...subjectKeyOf(one), state, updated_at: one.updatedAt, stored: one.isStored }
    known.take(name)
    one.isStored = true
    one.sizeBytes = sizeOf(one.counts, state)
    known.add(name, one)
    return row
  })
  if (rows.length > 0) void letRun(sent, SAVE.run(client, rows))
}

const KEY = { domain_id: 'integer', subject: 'integer', hash: 'bytes' } as const

/** In the mode of an update, which does not hold up rows that refer to the domain. */
const LOCK = arrayStatement(
  'lock domains',
  { id: 'integer' },
  (rows) => `select id, xmin::text as version, pg_current_xact_id()::xid::text as next from domains
    where id in (select given.id from ${rows}) order by id for no key update`,
)
const READ = arrayStatement(
  'read velocity',
  KEY,
  (rows, ofGiven) => `select v.domain_id, v.subject, v.hash, v.state
    from ${rows} join velocity v using (domain_id, subject, hash)
    where ${ofGiven('v.domain_id')}`,
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
    select ${guard('(select count(*) from changed) + (select count(*) from added) = (select count(*) from given)')}`,
)
