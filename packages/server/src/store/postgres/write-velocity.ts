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
import { arrayStatement, guard } from './array-statement.ts'
import type { KnownCounts } from './known-counts.ts'
import { COUNTS_LOCK } from './locks.ts'
import { letRun, type StatementsSent } from './pools.ts'

/** The counts of a transaction's visits. */
export interface LockedCounts {
  batch: VelocityBatch
  /**
   * The transactions that wrote the rows of domains whose counts are not locked: where another one did since, the counts
   * do not hold and nothing may be committed.
   */
  versions: ReadonlyMap<number, string>
}

/**
 * Finds the counts of the visits' subjects. Where this node is the only one that stores visits of a domain, it has the
 * domain to itself until the transaction ends, and most of its counts in memory. Otherwise it locks the state of each
 * subject, so that nodes wait for each other only where they share one.
 */
export async function lockVelocity(
  client: ClientBase,
  visits: readonly HashedVisit[],
  known: KnownCounts,
): Promise<LockedCounts> {
  if (visits.length === 0) return { batch: velocityBatch(() => undefined), versions: new Map() }
  const keys = new Map(keysOfVisits(visits).map((key) => [nameOfKey(key), key]))
  const domainIds = new Set(visits.map(({ domainId }) => domainId))
  const alone = new Set([...domainIds].filter((domainId) => !known.isShared(domainId)))
  const shared = [...keys].filter(([, { domain_id }]) => !alone.has(domain_id))
  const unknown = [...keys].filter(([name, { domain_id }]) => alone.has(domain_id) && !known.get(name))
  // In one journey: what is read behind the locks is as of their time.
  const [, domains, locked, read] = await Promise.all([
    LOCK_DOMAINS.run(
      client,
      [...domainIds].map((id) => ({ id, alone: alone.has(id) })),
    ),
    DOMAINS.run(
      client,
      [...domainIds].map((id) => ({ id })),
    ),
    countsBy(client, shared),
    countsBy(client, unknown),
  ])
  for (const { id, ...version } of domains) known.begin(id, version)
  const found = new Map([...locked, ...read])
  for (const [name, { domain_id }] of keys) {
    const one = alone.has(domain_id) ? known.get(name) : undefined
    if (one) found.set(name, one)
  }
  const wasAsked = new Set([...shared, ...unknown].map(([name]) => name))
  const forgotten = [...keys].filter(([name]) => !wasAsked.has(name) && !found.has(name))
  for (const [name, one] of await countsBy(client, forgotten)) found.set(name, one)
  return {
    batch: velocityBatch((name) => found.get(name)),
    versions: new Map(domains.flatMap(({ id, version }) => (alone.has(id) ? [[id, version]] : []))),
  }
}

/**
 * Locks what it reads, also where nobody else counts: on a cluster the coordinator may have ended a commit that its worker
 * has yet to end, and what it counted would be overwritten.
 */
async function countsBy(
  client: ClientBase,
  keys: readonly (readonly [string, VelocityKey])[],
): Promise<ReadonlyMap<string, CountedSubject>> {
  if (keys.length === 0) return new Map()
  const rows = await LOCK.run(
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
  if (rows.length > 0) letRun(sent, SAVE.run(client, rows))
}

const KEY = { domain_id: 'integer', subject: 'integer', hash: 'bytes' } as const

/** Sorted, so that all transactions lock domains in the same order and cannot deadlock. */
const LOCK_DOMAINS = arrayStatement(
  'lock domains',
  { id: 'integer', alone: 'boolean' },
  (rows) => `select case when alone
      then pg_advisory_xact_lock(${COUNTS_LOCK}, id::int)::text
      else pg_advisory_xact_lock_shared(${COUNTS_LOCK}, id::int)::text end
    from (select * from ${rows} order by id) as given`,
)
const DOMAINS = arrayStatement(
  'read versions of domains',
  { id: 'integer' },
  (rows) => `select domains.id, domains.xmin::text as version, pg_current_xact_id()::xid::text as next
    from ${rows} join domains using (id)`,
  { id: 'integer', version: 'text', next: 'text' },
)
const LOCK = arrayStatement(
  'lock velocity',
  KEY,
  (rows, { table }) => `select v.domain_id, v.subject, v.hash, v.state
    from ${rows} join ${table('velocity')} v using (domain_id, subject, hash)
    order by v.domain_id, v.subject, v.hash for update of v`,
  { ...KEY, state: 'bytes' },
)
const SAVE = arrayStatement(
  'save velocity',
  { ...KEY, state: 'bytes', updated_at: 'integer', stored: 'boolean' },
  (rows, place) => `with given as materialized (select * from ${rows}),
    changed as (
      update ${place.table('velocity')} v set state = given.state, updated_at = greatest(v.updated_at, given.updated_at)
      from given
      where given.stored
        and v.domain_id = given.domain_id and v.subject = given.subject and v.hash = given.hash
      returning 1),
    added as (
      insert into ${place.table('velocity')} (domain_id, subject, hash, state, updated_at)
      select domain_id, subject, hash, state, updated_at from given where not stored
      order by domain_id, subject, hash
      on conflict do nothing returning 1)
    select ${guard('(select count(*) from changed) + (select count(*) from added) = (select count(*) from given)')}`,
)
