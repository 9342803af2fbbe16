import { type IdentificationScored, type RiskSignal, SCHEMA_VERSION, signalNameOf } from '@inkling/contract'
import { ipv4ToNumber } from '../lib/ipv4-number.ts'
import type { Recorded } from '../visit/identification.ts'
import { eventJson, eventTime } from './event-json.ts'

/** The signals of a score: its entries that carry weight, named as clients derive it from the description. */
export const riskSignals = ({ verdict }: Recorded): RiskSignal[] =>
  verdict.entries
    .filter(({ value }) => value !== 0)
    .map(({ description, value }) => ({ name: signalNameOf(description), weight: value }))

export interface EventStamp {
  createdAtMs: number
  /** Only where failed sends are repeated: later contract versions carry it, today's does not. */
  eventId: string | undefined
}

/** `identification.scored` as it is sent: one snapshot of the identification at the time it was final. */
export function scoredEvent(scored: Recorded, { createdAtMs, eventId }: EventStamp): Uint8Array {
  const { identity, client, traffic, verdict, ip } = scored
  const event: IdentificationScored = {
    event_type: 'identification.scored',
    schema_version: SCHEMA_VERSION,
    ...(eventId !== undefined && { event_id: eventId }),
    created_at: eventTime(createdAtMs),
    data: {
      request_id: scored.requestId,
      visitor_id: identity.visitorId,
      device_id: identity.deviceId,
      session_id: scored.sessionId,
      cookie_id: scored.cookieId,
      user_hid: scored.userHid === '' ? null : scored.userHid,
      domain: scored.domain.name,
      public_ip: {
        ip: ipv4ToNumber(scored.address) === undefined ? '' : scored.address,
        country: ip.country,
      },
      local_ip: localIp(scored),
      connection_type: verdict.connectionType,
      os: client.os,
      browser: client.browser,
      device_type: client.deviceType,
      traffic_source: {
        channel: traffic.channel,
        referrer_domain: traffic.referrerDomain,
        landing_url: traffic.landingUrl,
        click_id_type: traffic.clickIdType,
        utm_source: traffic.utmSource,
        utm_medium: traffic.utmMedium,
        utm_campaign: traffic.utmCampaign,
        utm_content: traffic.utmContent,
        utm_term: traffic.utmTerm,
      },
      risk_score: verdict.score,
      signals: riskSignals(scored),
      detection_flags: verdict.flags,
      observed_at: eventTime(scored.atMs),
    },
  }
  return eventJson(event)
}

/** The leaked address where there is one, else the one that the network check saw. */
function localIp({ check }: Recorded): IdentificationScored['data']['local_ip'] {
  const { address = '', country = '' } = check.leak ?? check.service ?? {}
  return ipv4ToNumber(address) === undefined ? { ip: '', country: '' } : { ip: address, country }
}
