import { zstdDecompressSync } from 'node:zlib'
import type { IpFacts } from '../../enrich/ip/ip-facts.ts'
import type { DomainRow } from '../../store/domains.ts'
import type { IdentificationRow } from '../../store/identifications.ts'
import type { Store } from '../../store/store.ts'
import type { Identified } from '../../visit/identification.ts'
import { restoreVisit } from './restore-visit.ts'

const BATCH = 200

export interface StoredVisitRow {
  row: IdentificationRow
  visit: Identified
}

export interface Span {
  sinceMs: number
  untilMs: number
  /** The newest so many of them. */
  limit: number
}

type LookUpIp = (address: string) => IpFacts

/** A domain's visits whose snapshot is kept, oldest first. Markers have none, so they never come. */
export function storedVisits(
  store: Store,
  domain: DomainRow,
  sinceMs: number,
  lookUpIp: LookUpIp,
): AsyncGenerator<StoredVisitRow> {
  return visitsFrom(store, domain, { created_at: sinceMs, id: 0 }, lookUpIp)
}

/** The newest visits of a span, oldest first, and how many they are. */
export async function newestVisits(
  store: Store,
  domain: DomainRow,
  { sinceMs, untilMs, limit }: Span,
  lookUpIp: LookUpIp,
): Promise<{ total: number; visits: AsyncGenerator<StoredVisitRow> }> {
  const span = store.jobReads
    .selectFrom('identifications')
    .innerJoin('snapshots', 'snapshots.identification_id', 'identifications.id')
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
  // Just before the oldest one.
  const after = { created_at: oldest?.created_at ?? untilMs, id: (oldest?.id ?? 0) - 1 }
  return { total, visits: first(total, visitsFrom(store, domain, after, lookUpIp)) }
}

async function* visitsFrom(
  store: Store,
  domain: DomainRow,
  start: { created_at: number; id: number },
  lookUpIp: LookUpIp,
): AsyncGenerator<StoredVisitRow> {
  let after = start
  for (;;) {
    const rows = await store.jobReads
      .selectFrom('identifications')
      .innerJoin('snapshots', 'snapshots.identification_id', 'identifications.id')
      .selectAll('identifications')
      .select('snapshots.body')
      .where('identifications.domain_id', '=', domain.id)
      // Says no more than the next condition, but what an index can start from.
      .where('created_at', '>=', after.created_at)
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
    for (const { body, ...row } of rows)
      yield { row, visit: restoreVisit(row, zstdDecompressSync(body).toString(), domain, lookUpIp) }
    const last = rows.at(-1)
    if (!last || rows.length < BATCH) return
    after = last
  }
}

async function* first<Item>(count: number, items: AsyncGenerator<Item>): AsyncGenerator<Item> {
  if (count === 0) return
  let given = 0
  for await (const item of items) {
    yield item
    given += 1
    if (given === count) return
  }
}
