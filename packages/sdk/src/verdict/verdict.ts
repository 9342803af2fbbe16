import {
  type DetectionFlags,
  type HistoryRow,
  type IdentificationScored,
  type RiskSignal,
  signalNameOf,
} from '@inkling/contract'
import { namesAccount, namesOne } from '../identifies-nobody.ts'
import { type Band, bandOf } from './band-of.ts'
import { rowFlags } from './row-flags.ts'
import { scoreDetails } from './score-details.ts'
import { utcMs } from './utc-ms.ts'

/** A score with what to decide on. */
export interface ScoredVerdict {
  status: 'scored'
  requestId: string
  /** 0 to 100. */
  score: number
  band: Exclude<Band, 'rate_limited'>
  flags: DetectionFlags
  /** For display and logs: names are an open set, and weights must not be added up. */
  signals: readonly RiskSignal[]
  /** When the identification was made, in Unix milliseconds on the server's clock. */
  observedAtMs: number | undefined
  /** Undefined when there is no usable device data. */
  deviceId: string | undefined
  visitorId: string | undefined
  /** Undefined when the identification was not made for an account. */
  userHid: string | undefined
}

/** The visitor's address sent too much: nothing is known of this visit. */
export interface RateLimitedVerdict {
  status: 'rate_limited'
  requestId: string
  observedAtMs: number | undefined
}

/** - `not_scored_yet`: no row so far, and one may still come
 *  - `unverified`: no identification, or none that can be looked for. Never the same as clean */
export interface MissingVerdict {
  status: 'not_scored_yet' | 'unverified'
  requestId: string
}

export type Verdict = ScoredVerdict | RateLimitedVerdict | MissingVerdict

/** The verdict of a History row. */
export function verdictOfRow(row: HistoryRow): ScoredVerdict | RateLimitedVerdict {
  const details = scoreDetails(row.score_details)
  return judged({
    requestId: row.request_id,
    score: row.score,
    flags: rowFlags(row, details),
    // An entry without points is information, not a signal.
    signals: details
      .filter(({ Value }) => Value !== 0)
      .map(({ Value, Description }) => ({ name: signalNameOf(Description), weight: Value })),
    observedAtMs: utcMs(row.created_at),
    deviceId: row.device_id,
    visitorId: row.visitor_id,
    userHid: row.user_hid,
  })
}

/** The verdict of an event: a snapshot, while History has the latest version. */
export function verdictOfEvent({ data }: IdentificationScored): ScoredVerdict | RateLimitedVerdict {
  return judged({
    requestId: data.request_id,
    score: data.risk_score,
    flags: data.detection_flags,
    signals: data.signals,
    observedAtMs: utcMs(data.observed_at),
    deviceId: data.device_id,
    visitorId: data.visitor_id,
    userHid: data.user_hid,
  })
}

interface Told extends Pick<ScoredVerdict, 'requestId' | 'score' | 'flags' | 'signals' | 'observedAtMs'> {
  deviceId: string
  visitorId: string
  userHid: string | null
}

function judged({ deviceId, visitorId, userHid, ...told }: Told): ScoredVerdict | RateLimitedVerdict {
  const { requestId, observedAtMs } = told
  const band = bandOf(told.score)
  if (band === 'rate_limited') return { status: 'rate_limited', requestId, observedAtMs }
  return {
    status: 'scored',
    ...told,
    band,
    deviceId: namesOne(deviceId) ? deviceId : undefined,
    visitorId: namesOne(visitorId) ? visitorId : undefined,
    userHid: namesAccount(userHid) ? userHid : undefined,
  }
}
