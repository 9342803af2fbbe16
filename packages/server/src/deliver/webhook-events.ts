import {
  type DecisionChanged,
  type DeviceMerged,
  type DeviceSplit,
  type IdentificationScored,
  type PatternChange,
  type PatternChanged,
  type RiskSignal,
  SCHEMA_VERSION,
  signalNameOf,
} from '@inkling/contract'
import { ipv4ToNumber } from '../lib/address.ts'
import type { FindingChange, FindingRow } from '../store/findings/findings.ts'
import type { Recorded } from '../visit/identification.ts'

/** The entries of a score that carry weight, under the names that clients derive from the descriptions. */
const riskSignals = ({ verdict }: Recorded): RiskSignal[] =>
  verdict.entries
    .filter(({ value }) => value !== 0)
    .map(({ description, value }) => ({ name: signalNameOf(description), weight: value }))

interface EventStamp {
  createdAtMs: number
  /** Set when failed sends are retried; the contract's current version has no event ID otherwise. */
  eventId: string | undefined
}

/** The body of `identification.scored`: the identification as it was when its score became final. */
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

/** The leaked address, else the one that the network check saw, where History shows it: see `comparedAddress`. */
function localIp({ check, address: own }: Recorded): IdentificationScored['data']['local_ip'] {
  const isCompared = ipv4ToNumber(check.service?.address ?? '') === ipv4ToNumber(own)
  const { address = '', country = '' } = check.leak ?? (isCompared ? check.service : undefined) ?? {}
  return ipv4ToNumber(address) === undefined ? { ip: '', country: '' } : { ip: address, country }
}

interface PatternEventStamp {
  domain: string
  eventId: string
  createdAtMs: number
}

/** The body of `pattern.changed`. */
export function patternEvent(
  { before, after }: FindingChange,
  { domain, eventId, createdAtMs }: PatternEventStamp,
): Uint8Array {
  const event: PatternChanged = {
    event_type: 'pattern.changed',
    schema_version: SCHEMA_VERSION,
    event_id: eventId,
    created_at: eventTime(createdAtMs),
    data: {
      finding_id: after.id,
      domain,
      pattern: after.pattern,
      entity_type: after.entity_type,
      entity_value: after.entity_value,
      change: changeOf(before, after) ?? 'new',
      grade: gradeOf(after) ?? null,
      previous_grade: gradeOf(before) ?? null,
      count: after.count,
      suspicious_from: after.suspicious_from,
      dangerous_from: after.dangerous_from,
      average_score: after.average_score,
      first_at: eventTime(after.first_at),
      last_at: eventTime(after.last_at),
    },
  }
  return eventJson(event)
}

/** The body of `decision.changed`. */
export function decisionEvent(
  data: DecisionChanged['data'],
  { eventId, createdAtMs }: { eventId: string; createdAtMs: number },
): Uint8Array {
  const event: DecisionChanged = {
    event_type: 'decision.changed',
    schema_version: SCHEMA_VERSION,
    event_id: eventId,
    created_at: eventTime(createdAtMs),
    data,
  }
  return eventJson(event)
}

/** The body of `device.merged` or `device.split`; undefined where the visit shows neither. */
export function deviceEvent(
  { identity, requestId, cookieId, domain, atMs }: Recorded,
  { eventId, createdAtMs }: { eventId: string; createdAtMs: number },
): Uint8Array | undefined {
  const { merged, separatedFrom, confidence = 0 } = identity.decision ?? {}
  const stamp = {
    schema_version: SCHEMA_VERSION,
    event_id: eventId,
    created_at: eventTime(createdAtMs),
  }
  const shownBy = { request_id: requestId, domain: domain.name, confidence, observed_at: eventTime(atMs) }
  if (merged !== undefined) {
    const data = { device_id: identity.deviceId, merged_device_id: merged, ...shownBy }
    return eventJson({ event_type: 'device.merged', ...stamp, data } satisfies DeviceMerged)
  }
  if (separatedFrom === undefined) return undefined
  const data = {
    device_id: separatedFrom,
    split_device_id: identity.deviceId,
    cookie_id: cookieId,
    ...shownBy,
  }
  return eventJson({ event_type: 'device.split', ...stamp, data } satisfies DeviceSplit)
}

/** How the grade changed; undefined when it did not. */
export function changeOf(before: FindingRow | undefined, after: FindingRow): PatternChange | undefined {
  const was = gradeOf(before)
  const is = gradeOf(after)
  if (was === is) return undefined
  if (was === undefined) return 'new'
  if (is === undefined) return 'resolved'
  return is === 'dangerous' ? 'raised' : 'lowered'
}

const gradeOf = (finding: FindingRow | undefined): FindingRow['grade'] | undefined =>
  finding && finding.resolved_at === null ? finding.grade : undefined

const ESCAPED = /[&<>\u2028\u2029]/g
const unicodeEscape = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

const encoder = new TextEncoder()

/** The bytes of an event: compact JSON with `&`, `<`, `>`, U+2028 and U+2029 escaped. */
export const eventJson = (event: object): Uint8Array =>
  encoder.encode(JSON.stringify(event).replace(ESCAPED, unicodeEscape))

/** RFC 3339 UTC, without trailing zeros in the fraction. */
export const eventTime = (atMs: number): string => new Date(atMs).toISOString().replace(/\.?0*Z$/, 'Z')

/** RFC 3339 UTC to the second. */
export const eventSecond = (atMs: number): string => new Date(atMs).toISOString().replace(/\.\d+Z$/, 'Z')

const TYPE = /^\{"event_type":"([a-z.]+)"/
const TYPE_BYTES_MAX = 64

/** Reads the type from the start of an event's bytes. */
export const eventTypeOf = (body: Uint8Array): string =>
  TYPE.exec(Buffer.from(body.subarray(0, TYPE_BYTES_MAX)).toString())?.[1] ?? 'identification.scored'
