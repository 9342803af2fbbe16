import { DAY_MS } from '../../lib/durations.ts'
import { domainStore } from '../domains/domains.ts'
import { engineSql } from '../engine-sql.ts'
import { packText, unpackText } from '../packed/packed-text.ts'
import { addressesIn, isCold } from './cold-body.ts'
import { type ColdPosition, coldObjects } from './cold-objects.ts'
import { type ColdStore, type MovedBody, writeObject } from './write-object.ts'

/** Large enough that requests cost little, small enough to be read whole. */
const OBJECT_BYTES = 4_000_000
/** How long a visit may wait for others of its domain to fill an object. */
const WAIT_MS = DAY_MS
const PAGE = 500
/** Visits may have few bodies, or none. */
const PAGES_MAX = 40

/**
 * Moves the snapshots of visits from before `beforeMs`, and the bodies of their events, to the cold storage, oldest
 * first. What does not fill an object waits for a day. It may be stopped after any object; the next call continues.
 * @returns the number of bodies
 */
export async function moveOldBodies(
  store: ColdStore,
  { beforeMs, nowMs, stopped = () => false }: { beforeMs: number; nowMs: number; stopped?: () => boolean },
): Promise<number> {
  let moved = 0
  for (const { id } of await domainStore(store.jobReads).list())
    while (!stopped()) {
      const { bodies, isFull, oldestAt, reached } = await nextBodies(store, id, beforeMs)
      if (!isFull && oldestAt !== undefined && oldestAt > beforeMs - WAIT_MS) break
      if (bodies.length > 0) await writeObject(store, id, bodies, nowMs)
      await coldObjects(store.writes).advance(id, reached)
      moved += bodies.length
      if (!isFull) break
    }
  return moved
}

interface NextBodies {
  bodies: MovedBody[]
  /** Whether they fill an object, or are of as many visits as may be read for one. */
  isFull: boolean
  /** Time of the first visit among them. */
  oldestAt: number | undefined
  reached: ColdPosition
}

async function nextBodies({ jobReads }: ColdStore, domainId: number, beforeMs: number): Promise<NextBodies> {
  let reached = await coldObjects(jobReads).position(domainId)
  const bodies: MovedBody[] = []
  let bytes = 0
  let oldestAt: number | undefined
  for (let page = 0; page < PAGES_MAX && bytes < OBJECT_BYTES; page += 1) {
    const visits = await visitsAfter(jobReads, domainId, reached, beforeMs)
    const found = await bodiesOf(jobReads, domainId, visits)
    if (found.length > 0) oldestAt ??= visits[0]?.created_at
    bodies.push(...found)
    bytes += found.reduce((sum, { packed }) => sum + packed.length, 0)
    const last = visits.at(-1)
    if (last) reached = { created_at: last.created_at, identification_id: last.id }
    if (visits.length < PAGE) return { bodies, isFull: false, oldestAt, reached }
  }
  return { bodies, isFull: true, oldestAt, reached }
}

type Reads = ColdStore['jobReads']
type OldVisit = Awaited<ReturnType<typeof visitsAfter>>[number]

const visitsAfter = (db: Reads, domainId: number, after: ColdPosition, beforeMs: number) =>
  db
    .selectFrom('identifications')
    .select(['id', 'created_at', 'request_id', 'stun_request_seen'])
    .where('domain_id', '=', domainId)
    // Implied by the next but one, but an index can use it.
    .where('created_at', '>=', after.created_at)
    .where('created_at', '<', beforeMs)
    .where(({ eb, and, or }) =>
      or([
        eb('created_at', '>', after.created_at),
        and([eb('created_at', '=', after.created_at), eb('id', '>', after.identification_id)]),
      ]),
    )
    .orderBy('created_at')
    .orderBy('id')
    .limit(PAGE)
    .execute()

/** Of these visits, in their order, without those that are moved already. */
async function bodiesOf(db: Reads, domainId: number, visits: readonly OldVisit[]): Promise<MovedBody[]> {
  if (visits.length === 0) return []
  const requestIds = visits.flatMap(({ request_id }) => (request_id === null ? [] : [request_id]))
  const [snapshots, deliveries] = await Promise.all([
    db
      .selectFrom('snapshots')
      .select(['identification_id', 'body'])
      .where(engineSql(db).besideIds('domain_id'), '=', domainId)
      .where(
        'identification_id',
        'in',
        visits.map(({ id }) => id),
      )
      .orderBy('identification_id')
      .execute(),
    requestIds.length === 0
      ? []
      : db
          .selectFrom('deliveries')
          .select(['id', 'body'])
          .where('domain_id', '=', domainId)
          .where('request_id', 'in', requestIds)
          .orderBy('id')
          .execute(),
  ])
  const sighted = new Set(
    visits.flatMap(({ id, stun_request_seen }) => (stun_request_seen === 1 ? [id] : [])),
  )
  return [
    ...snapshots.map(({ identification_id: id, body }) => ({ kind: 'snapshot' as const, id, body })),
    ...deliveries.map(({ id, body }) => ({ kind: 'delivery' as const, id, body })),
  ].flatMap((one): MovedBody[] => {
    if (isCold(one.body)) return []
    const text = unpackText(one.body)
    const isSighted = one.kind === 'snapshot' && sighted.has(one.id)
    return [
      {
        ...one,
        // Earlier releases packed less densely.
        packed: packText(text),
        addresses: isSighted ? addressesIn(text.toString()) : [],
      },
    ]
  })
}
