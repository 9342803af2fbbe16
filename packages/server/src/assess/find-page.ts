import type { AssessedPage } from '@inkling/contract'
import { ipv4ToText, ipv6ToText } from '../lib/address.ts'
import { uuidToText } from '../lib/uuid.ts'
import { isCold } from '../store/cold/cold-body.ts'
import { identificationStore } from '../store/identifications/identifications.ts'
import { lookupOf } from '../store/identifications/lookup.ts'
import { decompressSnapshot, snapshotBody } from '../store/identifications/snapshots.ts'
import type { Store } from '../store/store.ts'
import type { Scored } from '../visit/identification.ts'
import type { RequestFacts } from '../visit/received.ts'

/** Compares a request with the identification whose request ID the page sent along; null when there is none. */
export async function findPage(
  { reads }: Pick<Store, 'reads'>,
  domainId: number,
  requestId: string,
  { address, request, atMs }: Pick<Scored, 'address' | 'request' | 'atMs'>,
): Promise<AssessedPage | null> {
  const [row] = (await identificationStore(reads).search(domainId, lookupOf('request_id', requestId), 1, 0))
    .rows
  if (!row) return null
  const snapshot = await snapshotBody(reads, domainId, row.id)
  // No request to a site waits for the cold storage.
  const stored =
    snapshot && !isCold(snapshot)
      ? (JSON.parse(decompressSnapshot(snapshot)) as { request: RequestFacts })
      : undefined
  const seen = row.ip6 ? ipv6ToText(row.ip6) : ipv4ToText(row.ip)
  return {
    request_id: requestId.toLowerCase(),
    score: row.score,
    device_id: uuidToText(row.device_id),
    visitor_id: uuidToText(row.visitor_id),
    age_seconds: Math.max(0, Math.round((atMs - row.created_at) / 1_000)),
    same_address: seen === address,
    same_user_agent: stored ? stored.request.userAgent === request.userAgent : null,
  }
}
