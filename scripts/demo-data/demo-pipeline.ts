import { INGEST_BODY_VERSION, type IngestBody } from '@inkling/contract'
import { enrich } from '../../packages/server/src/enrich/enrich.ts'
import type { IpDatabase } from '../../packages/server/src/enrich/ip/ip-facts.ts'
import { createLinker, TAKEN } from '../../packages/server/src/identify/linker.ts'
import { memoryDevices } from '../../packages/server/src/identify/relink.ts'
import { parseBody } from '../../packages/server/src/ingest/ingest-body.ts'
import { uuidV5 } from '../../packages/server/src/lib/uuid.ts'
import { score } from '../../packages/server/src/score/score.ts'
import type { Identified, Scored } from '../../packages/server/src/visit/identification.ts'
import type { DeviceWrite } from '../../packages/server/src/visit/known-device.ts'
import type { Received } from '../../packages/server/src/visit/received.ts'
import { firstEvidence, laterEvidence } from './demo-network.ts'
import { demoReadings } from './demo-readings.ts'
import type { PlannedVisit } from './planned-visit.ts'

export interface DemoVisit {
  first: Scored
  /** The visit after its network check. */
  refined: Scored | undefined
  device: DeviceWrite | undefined
}

/** Share of visits that keep their first version; keeping all would double the data. */
const REFINED_SHARE = 0.2

export interface DemoPipelineDeps {
  domain: Received['domain']
  lookUp: IpDatabase['lookUp']
  /** Number of the domain's next device in the database. */
  firstDevice: number
}

/**
 * Runs the server's own stages over planned visits, with the clock of each visit. Devices are kept in
 * memory, which decides like the database without waiting for commits.
 */
export function demoPipeline({ domain, lookUp, firstDevice }: DemoPipelineDeps) {
  const devices = memoryDevices()
  const linker = createLinker(devices)
  const deps = { lookUpIp: lookUp, verifyCrawler: () => undefined, identifyAgent: () => undefined }

  return async function process(visit: PlannedVisit): Promise<DemoVisit> {
    const received = receivedOf(visit, domain)
    const refines = visit.checkedAddress !== undefined && isRefined(visit)
    if (!refines && visit.checkedAddress !== undefined)
      received.network = laterEvidence(visit, visit.checkedAddress)
    const enriched = enrich(received, deps)
    const { identity, write } = await linker.link(enriched, (linked) =>
      Promise.resolve(linked.write && !devices.apply(linked.write) ? TAKEN : linked),
    )
    const { visitorOf } = visit
    const identified: Identified = {
      ...enriched,
      sticky: undefined,
      identity:
        visitorOf === undefined ? identity : { ...identity, visitorId: uuidV5(domain.namespace, visitorOf) },
    }
    const first = score(identified)
    return {
      first,
      refined: refines ? refine(first, visit) : undefined,
      device: numbered(write, firstDevice - 1),
    }
  }

  function refine(first: Scored, visit: PlannedVisit): Scored {
    const network = laterEvidence(visit, visit.checkedAddress ?? visit.address)
    return score({ ...enrich({ ...first, network }, deps), identity: first.identity, sticky: first.sticky })
  }
}

const isRefined = ({ requestId }: PlannedVisit): boolean =>
  Number.parseInt(requestId.slice(0, 4), 16) / 0xffff < REFINED_SHARE

function receivedOf(visit: PlannedVisit, domain: Received['domain']): Received {
  const { requestId, sessionId, cookieId, userHid, landing, state, atMs, address } = visit
  const readings = demoReadings(visit)
  const body = JSON.stringify({
    version: INGEST_BODY_VERSION,
    session_id: sessionId,
    cookie_id: cookieId,
    user_hid: userHid,
    landing,
    readings,
  } satisfies IngestBody)
  const userAgent = readings.user_agent && 'value' in readings.user_agent ? readings.user_agent.value : ''
  return {
    ...parseBody(body),
    domain,
    requestId,
    host: domain.name,
    address,
    atMs,
    request: { userAgent, acceptLanguage: state.preferences.languages.join(',') },
    network: firstEvidence(visit),
    via: 'agent',
    proof: undefined,
    body,
    late: undefined,
  }
}

/** Device numbers differ between memory, which begins with 1, and the database. */
function numbered(write: DeviceWrite | undefined, offset: number): DeviceWrite | undefined {
  if (!write) return undefined
  const { number, merged } = write
  const moved = (profile: DeviceWrite['profile']): DeviceWrite['profile'] =>
    profile.mergedInto === undefined ? profile : { ...profile, mergedInto: profile.mergedInto + offset }
  return {
    ...write,
    number: number === undefined ? undefined : number + offset,
    profile: moved(write.profile),
    merged: merged && { number: merged.number + offset, profile: moved(merged.profile) },
  }
}
