import type { ReadingName, ReadingValues } from '@inkling/contract'
import type { NetworkEvidence } from './network-evidence.ts'

/** A fact from the browser, or why there is none. */
export type Fact<Value> =
  | { ok: true; value: Value }
  | { ok: false; why: 'missing' | 'unsupported' | 'failed' | 'timeout' }

export type Readings = { [Name in ReadingName]: Fact<ReadingValues[Name]> }

/** What the request's headers say. */
export interface RequestFacts {
  userAgent: string
  acceptLanguage: string
}

/** An identification as it arrived: parsed, its key and origin checked. */
export interface Received {
  domain: { id: number; name: string; namespace: string }
  requestId: string
  sessionId: string
  cookieId: string
  userHid: string
  /** Request host: the domain or one of its subdomains. */
  host: string
  /** Client address in normal form, IPv4 or IPv6. */
  address: string
  atMs: number
  request: RequestFacts
  /** What the server saw of the connection. Follow-up checks add to it. */
  network: NetworkEvidence
  landing: { url: string; referrer: string }
  /** `noscript`: the beacon of a page whose visitor runs no JavaScript. */
  via: 'agent' | 'noscript'
  readings: Readings
  /** Whether the agent opens a follow-up channel. */
  followUp: boolean
  /** The plain JSON body as it was sent. */
  body: string
  /** JSON of the readings that arrived over the follow-up channel. */
  late: string | undefined
}
