import { zstdDecompressSync } from 'node:zlib'
import type { IpFacts } from '../enrich/ip/ip-facts.ts'
import type { Identified } from '../identification.ts'
import type { DomainRow } from '../store/domains.ts'
import type { IdentificationRow } from '../store/identifications.ts'
import type { Store } from '../store/store.ts'
import { restoreVisit } from './restore-visit.ts'

const BATCH = 500

export interface StoredVisitRow {
  row: IdentificationRow
  visit: Identified
}

/** A domain's visits whose snapshot is kept, oldest first. Markers have none, so they never come. */
export async function* storedVisits(
  store: Store,
  domain: DomainRow,
  sinceMs: number,
  lookUpIp: (address: string) => IpFacts,
): AsyncGenerator<StoredVisitRow> {
  let after = { created_at: sinceMs, id: 0 }
  for (;;) {
    const rows = await store.reads
      .selectFrom('identifications')
      .innerJoin('snapshots', 'snapshots.identification_id', 'identifications.id')
      .selectAll('identifications')
      .select('snapshots.body')
      .where('identifications.domain_id', '=', domain.id)
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
