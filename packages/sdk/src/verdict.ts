import {
  bandOf,
  type DetectionFlags,
  flagsOfRow,
  type HistoryRow,
  type IdentificationScored,
  namesAccount,
  namesOne,
  type RiskSignal,
  readTime,
  type ScoreDetail,
  type ScoredBand,
  signalNameOf,
} from '@inkling/contract'

/** A score with all that a decision may use. */
export interface ScoredVerdict {
  status: 'scored'
  requestId: string
  /** 0 to 100. */
  score: number
  band: ScoredBand
  flags: DetectionFlags
  /** To show and to log. A later release may name signals that this one does not know. */
  signals: readonly RiskSignal[]
  /** When the identification was made, in Unix milliseconds on the server's clock. */
  observedAtMs: number | undefined
  /** Undefined when the browser gave too few readings. */
  deviceId: string | undefined
  visitorId: string | undefined
  /** Undefined when the identification was not made for an account. */
  userHid: string | undefined
}

/** The visitor's address sent too much, so nothing is known of this visit. */
export interface RateLimitedVerdict {
  status: 'rate_limited'
  requestId: string
  observedAtMs: number | undefined
}

/**
 * No row. Neither status means that the visit is clean.
 *
 * - `not_scored_yet`: one may still come
 * - `unverified`: none will come, or the request ID is malformed
 */
export interface MissingVerdict {
  status: 'not_scored_yet' | 'unverified'
  requestId: string
}

export type Verdict = ScoredVerdict | RateLimitedVerdict | MissingVerdict

/** The verdict in a History row. */
export function verdictOfRow(row: HistoryRow): ScoredVerdict | RateLimitedVerdict {
  const details = scoreDetails(row.score_details)
  return verdictOf({
    requestId: row.request_id,
    score: row.score,
    flags: flagsOfRow(
      row,
      details.map(({ Description }) => Description),
    ),
    // An entry without points is information, not a signal.
    signals: details
      .filter(({ Value }) => Value !== 0)
      .map(({ Value, Description }) => ({ name: signalNameOf(Description), weight: Value })),
    observedAtMs: readTime(row.created_at),
    deviceId: row.device_id,
    visitorId: row.visitor_id,
    userHid: row.user_hid,
  })
}

/** The verdict in an event. History may have a later version of it. */
export function verdictOfEvent({ data }: IdentificationScored): ScoredVerdict | RateLimitedVerdict {
  return verdictOf({
    requestId: data.request_id,
    score: data.risk_score,
    flags: data.detection_flags,
    signals: data.signals,
    observedAtMs: readTime(data.observed_at),
    deviceId: data.device_id,
    visitorId: data.visitor_id,
    userHid: data.user_hid,
  })
}

interface Facts extends Pick<ScoredVerdict, 'requestId' | 'score' | 'flags' | 'signals' | 'observedAtMs'> {
  deviceId: string
  visitorId: string
  userHid: string | null
}

function verdictOf({ deviceId, visitorId, userHid, ...facts }: Facts): ScoredVerdict | RateLimitedVerdict {
  const { requestId, observedAtMs } = facts
  const band = bandOf(facts.score)
  if (band === 'rate_limited') return { status: 'rate_limited', requestId, observedAtMs }
  return {
    status: 'scored',
    ...facts,
    band,
    deviceId: namesOne(deviceId) ? deviceId : undefined,
    visitorId: namesOne(visitorId) ? visitorId : undefined,
    userHid: namesAccount(userHid) ? userHid : undefined,
  }
}

/** The entries of a row's score, which are JSON text inside a string. Anything else in there is left out. */
export function scoreDetails(text: string | undefined): ScoreDetail[] {
  if (!text) return []
  try {
    const entries: unknown = JSON.parse(text)
    return Array.isArray(entries) ? entries.filter(isDetail) : []
  } catch {
    return []
  }
}

function isDetail(entry: unknown): entry is ScoreDetail {
  return (
    typeof entry === 'object' &&
    entry !== null &&
    'Value' in entry &&
    typeof entry.Value === 'number' &&
    'Description' in entry &&
    typeof entry.Description === 'string'
  )
}
