import { setImmediate as turn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { enrich } from '../../enrich/enrich.ts'
import type { IpFacts } from '../../enrich/ip/ip-facts.ts'
import { parseBody, withLateReadings } from '../../ingest/ingest-body.ts'
import { uuidToText } from '../../lib/uuid.ts'
import { readStoredBodies } from '../../store/cold/stored-bodies.ts'
import type { DomainRow } from '../../store/domains/domains.ts'
import { engineSql } from '../../store/engine-sql.ts'
import { readVerdict } from '../../store/identifications/identification-row.ts'
import type { IdentificationRow } from '../../store/identifications/identifications.ts'
import { requestIdText } from '../../store/identifications/lookup.ts'
import { decompressSnapshot } from '../../store/identifications/snapshots.ts'
import type { Schema } from '../../store/schema.ts'
import type { Store } from '../../store/store.ts'
import type { Identified, StickyVerdict } from '../../visit/identification.ts'
import {
  type NetworkEvidence,
  NO_CONNECTION_EVIDENCE,
  NO_FOLLOW_UP_EVIDENCE,
} from '../../visit/network-evidence.ts'
import type { Proof } from '../../visit/proof.ts'
import type { RequestFacts } from '../../visit/received.ts'

const BATCH = 200

export interface StoredVisitRow {
  row: IdentificationRow
  visit: Identified
}

export interface Span {
  sinceMs: number
  untilMs: number
  /** How many of the newest visits to read. */
  limit: number
}

type LookUpIp = (address: string) => IpFacts

/** A domain's visits with a stored snapshot, oldest first. Rate-limited visits have none. */
export function storedVisits(
  store: Store,
  domain: DomainRow,
  { sinceMs, untilMs }: Omit<Span, 'limit'>,
  lookUpIp: LookUpIp,
): AsyncGenerator<StoredVisitRow> {
  return visitsFrom(store, domain, { created_at: sinceMs, id: 0, untilMs }, lookUpIp)
}

/** The visit of a row as it is stored now; undefined once it is gone. */
export async function storedVisit(
  store: Store,
  domain: DomainRow,
  { id, created_at }: Pick<IdentificationRow, 'id' | 'created_at'>,
  lookUpIp: LookUpIp,
): Promise<StoredVisitRow | undefined> {
  const from = { created_at, id: id - 1, untilMs: created_at }
  for await (const found of visitsFrom(store, domain, from, lookUpIp))
    return found.row.id === id ? found : undefined
  return undefined
}

/** Snapshots in one query. */
const READ_AT_ONCE = 50

/**
 * The visits among these rows that have a stored snapshot, in their order. Yields to the event loop after each visit, so
 * that a server keeps answering.
 */
export async function* visitsOfRows(
  store: Store,
  domain: DomainRow,
  rows: readonly Pick<IdentificationRow, 'id'>[],
  lookUpIp: LookUpIp,
): AsyncGenerator<StoredVisitRow> {
  for (let start = 0; start < rows.length; start += READ_AT_ONCE) {
    const ids = rows.slice(start, start + READ_AT_ONCE).map(({ id }) => id)
    const found = await rowsWithSnapshot(store.reads, domain.id, ids)
    for (const { row, packed } of await withPacked(store, domain.id, found)) {
      yield { row, visit: restoreVisit(row, decompressSnapshot(packed), domain, lookUpIp) }
      await turn()
    }
  }
}

/**
 * The rows with their snapshots, wherever those are, without those that the cold storage has lost.
 * @throws AppError `INK_COLD_STORAGE`
 */
async function withPacked(
  { cold }: Store,
  domainId: number,
  rows: readonly (IdentificationRow & { body: Uint8Array })[],
): Promise<{ row: IdentificationRow; packed: Uint8Array }[]> {
  const snapshots = rows.map(({ id, body }) => ({ kind: 'snapshot' as const, id, body }))
  const bodies = await readStoredBodies(cold, domainId, snapshots)
  return rows.flatMap(({ body: _, ...row }, at) => {
    const packed = bodies[at]
    return packed ? [{ row, packed }] : []
  })
}

/** By their IDs alone: in a join SQLite reads all rows of the domain. */
async function rowsWithSnapshot(db: Kysely<Schema>, domainId: number, ids: readonly number[]) {
  const domain = engineSql(db).besideIds('domain_id')
  const [rows, snapshots] = await Promise.all([
    db
      .selectFrom('identifications')
      .selectAll()
      .where(domain, '=', domainId)
      .where('id', 'in', ids)
      .execute(),
    db
      .selectFrom('snapshots')
      .select(['identification_id', 'body'])
      .where(domain, '=', domainId)
      .where('identification_id', 'in', ids)
      .execute(),
  ])
  const rowOf = new Map(rows.map((row) => [row.id, row]))
  const bodyOf = new Map(snapshots.map(({ identification_id, body }) => [identification_id, body]))
  return ids.flatMap((id) => {
    const [row, body] = [rowOf.get(id), bodyOf.get(id)]
    return row && body ? [{ ...row, body }] : []
  })
}

/** The newest visits of a span, oldest first, and their number. */
export async function newestVisits(
  store: Store,
  domain: DomainRow,
  { sinceMs, untilMs, limit }: Span,
  lookUpIp: LookUpIp,
): Promise<{ total: number; visits: AsyncGenerator<StoredVisitRow> }> {
  const span = store.jobReads
    .selectFrom('identifications')
    .innerJoin('snapshots', (join) =>
      join
        .onRef('snapshots.domain_id', '=', 'identifications.domain_id')
        .onRef('snapshots.identification_id', '=', 'identifications.id'),
    )
    .select(['created_at', 'identifications.id'])
    .where('identifications.domain_id', '=', domain.id)
    .where('created_at', '>=', sinceMs)
    .where('created_at', '<=', untilMs)
    .orderBy('created_at', 'desc')
    .orderBy('identifications.id', 'desc')
  const { total } = await store.jobReads
    .selectFrom(span.limit(limit).as('newest'))
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const oldest = await span
    .limit(1)
    .offset(Math.max(0, total - 1))
    .executeTakeFirst()
  // Reading starts just after this position.
  const after = { created_at: oldest?.created_at ?? untilMs, id: (oldest?.id ?? 0) - 1, untilMs }
  return { total, visits: take(total, visitsFrom(store, domain, after, lookUpIp)) }
}

async function* visitsFrom(
  store: Store,
  domain: DomainRow,
  { untilMs, ...start }: { created_at: number; id: number; untilMs: number },
  lookUpIp: LookUpIp,
): AsyncGenerator<StoredVisitRow> {
  let after = start
  for (;;) {
    const rows = await store.jobReads
      .selectFrom('identifications')
      .innerJoin('snapshots', (join) =>
        join
          .onRef('snapshots.domain_id', '=', 'identifications.domain_id')
          .onRef('snapshots.identification_id', '=', 'identifications.id'),
      )
      .selectAll('identifications')
      .select('snapshots.body')
      .where('identifications.domain_id', '=', domain.id)
      // Implied by the next condition, but an index can use it.
      .where('created_at', '>=', after.created_at)
      .where('created_at', '<=', untilMs)
      .where(({ eb, and, or }) =>
        or([
          eb('created_at', '>', after.created_at),
          and([eb('created_at', '=', after.created_at), eb('identifications.id', '>', after.id)]),
        ]),
      )
      .orderBy('created_at')
      .orderBy('identifications.id')
      .limit(BATCH)
      .execute()
    for (const { row, packed } of await withPacked(store, domain.id, rows))
      yield { row, visit: restoreVisit(row, decompressSnapshot(packed), domain, lookUpIp) }
    const last = rows.at(-1)
    if (!last || rows.length < BATCH) return
    after = last
  }
}

async function* take<Item>(count: number, items: AsyncGenerator<Item>): AsyncGenerator<Item> {
  if (count === 0) return
  let taken = 0
  for await (const item of items) {
    yield item
    taken += 1
    if (taken === count) return
  }
}

/** What `snapshotOf` writes. Older snapshots lack some fields, which then count as unknown. */
const Snapshot = z.object({
  at_ms: z.number(),
  address: z.string(),
  host: z.string(),
  via: z.enum(['agent', 'noscript']),
  request: z.custom<RequestFacts>(),
  network: z.custom<NetworkEvidence>().optional(),
  proof: z.custom<Proof>().optional(),
  ip: z.custom<IpFacts>(),
  crawler: z.custom<Identified['crawler']>().optional(),
  agent: z.custom<Identified['agent']>().optional(),
  edge: z.custom<Identified['edge']>().optional(),
  sticky: z.custom<StickyVerdict>().optional(),
  late: z.record(z.string(), z.unknown()).optional(),
  body: z.record(z.string(), z.unknown()),
})

/**
 * Restores a visit as it was when it was scored. What was known of its address and crawler comes from the snapshot,
 * because today's lists may say something else.
 */
function restoreVisit(
  row: IdentificationRow,
  snapshotText: string,
  domain: DomainRow,
  lookUpIp: (address: string) => IpFacts,
): Identified {
  const stored = Snapshot.parse(JSON.parse(snapshotText))
  const late = stored.late && JSON.stringify(stored.late)
  const parsed = parseBody(JSON.stringify(stored.body))
  const enriched = enrich(
    {
      ...(late === undefined ? { ...parsed, late } : withLateReadings(parsed, late)),
      domain: {
        id: domain.id,
        name: domain.name,
        namespace: uuidToText(domain.namespace),
        falseMergeCost: domain.false_merge_cost ?? undefined,
      },
      requestId: requestIdText(row.request_id),
      sessionId: uuidToText(row.session_id),
      cookieId: uuidToText(row.cookie_id),
      userHid: row.user_hid,
      host: stored.host,
      address: stored.address,
      atMs: stored.at_ms,
      request: stored.request,
      network: { ...NO_CONNECTION_EVIDENCE, ...NO_FOLLOW_UP_EVIDENCE, ...stored.network },
      proof: stored.proof,
      edge: stored.edge,
      via: stored.via,
    },
    {
      lookUpIp: (address) => (address === stored.address ? stored.ip : lookUpIp(address)),
      verifyCrawler: () => stored.crawler,
      identifyAgent: () => stored.agent,
    },
  )
  const { components, decision, account, lists } = readVerdict(row.verdict)
  const identity = {
    deviceId: uuidToText(row.device_id),
    visitorId: uuidToText(row.visitor_id),
    components: components as Identified['identity']['components'],
    decision,
  }
  return { ...enriched, ...(account && { account }), identity, sticky: stored.sticky, lists }
}
