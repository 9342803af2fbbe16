import { z } from 'zod'
import { enrich } from '../../enrich/enrich.ts'
import type { IpFacts } from '../../enrich/ip/ip-facts.ts'
import { parseBody, withLateReadings } from '../../ingest/parse-body.ts'
import { uuidToText } from '../../lib/uuid.ts'
import type { DomainRow } from '../../store/domains.ts'
import { type IdentificationRow, requestIdText } from '../../store/identifications.ts'
import { readVerdict } from '../../store/stored-verdict.ts'
import type { Identified, RequestFacts, StickyVerdict } from '../../visit/identification.ts'
import {
  type NetworkEvidence,
  NO_CONNECTION_EVIDENCE,
  NO_FOLLOW_UP_EVIDENCE,
} from '../../visit/network-evidence.ts'

/** What `snapshotOf` writes. Older snapshots know less: what they lack is unknown. */
const Snapshot = z.object({
  at_ms: z.number(),
  address: z.string(),
  host: z.string(),
  via: z.enum(['agent', 'noscript']),
  request: z.custom<RequestFacts>(),
  network: z.custom<NetworkEvidence>().optional(),
  ip: z.custom<IpFacts>(),
  crawler: z.custom<Identified['crawler']>().optional(),
  sticky: z.custom<StickyVerdict>().optional(),
  late: z.record(z.string(), z.unknown()).optional(),
  body: z.record(z.string(), z.unknown()),
})

/**
 * A stored visit as it was when it was scored: what was known of its address and its crawler is not looked up
 * again, as the lists of today would tell another story.
 */
export function restoreVisit(
  row: IdentificationRow,
  snapshotText: string,
  domain: DomainRow,
  lookUpIp: (address: string) => IpFacts,
): Identified {
  const stored = Snapshot.parse(JSON.parse(snapshotText))
  const late = stored.late && JSON.stringify(stored.late)
  const body = JSON.stringify(stored.body)
  const parsed = parseBody(body)
  const enriched = enrich(
    {
      ...parsed,
      domain: { id: domain.id, name: domain.name, namespace: uuidToText(domain.namespace) },
      requestId: requestIdText(row.request_id),
      sessionId: uuidToText(row.session_id),
      cookieId: uuidToText(row.cookie_id),
      userHid: row.user_hid,
      host: stored.host,
      address: stored.address,
      atMs: stored.at_ms,
      request: stored.request,
      network: { ...NO_CONNECTION_EVIDENCE, ...NO_FOLLOW_UP_EVIDENCE, ...stored.network },
      via: stored.via,
      readings: late === undefined ? parsed.readings : withLateReadings(parsed.readings, late),
      body,
      late,
    },
    {
      lookUpIp: (address) => (address === stored.address ? stored.ip : lookUpIp(address)),
      verifyCrawler: () => stored.crawler,
    },
  )
  const { components, decision } = readVerdict(row.verdict)
  const identity = {
    deviceId: uuidToText(row.device_id),
    visitorId: uuidToText(row.visitor_id),
    components: components as Identified['identity']['components'],
    decision,
  }
  return { ...enriched, identity, sticky: stored.sticky }
}
