import type { DetectionFlags, ReadingName, ReadingValues } from '@inkling/contract'
import type { ClientFacts } from './enrich/client-facts.ts'
import type { IpFacts } from './enrich/ip/ip-facts.ts'
import type { TrafficSource } from './enrich/traffic-source.ts'

/** A fact from the browser, or why there is none. */
export type Fact<Value> =
  | { ok: true; value: Value }
  | { ok: false; why: 'missing' | 'unsupported' | 'failed' | 'timeout' }

export type Readings = { [Name in ReadingName]: Fact<ReadingValues[Name]> }

/** What the server saw of the request itself. */
export interface RequestFacts {
  userAgent: string
  acceptLanguage: string
}

/** An identification as it came in: parsed, its key and origin checked. */
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
  landing: { url: string; referrer: string }
  /** `noscript`: the beacon of a page whose visitor runs no JavaScript. */
  via: 'agent' | 'noscript'
  readings: Readings
  /** The plain JSON body as it was sent. */
  body: string
}

export interface Enriched extends Received {
  ip: IpFacts
  client: ClientFacts
  traffic: TrafficSource
}

export interface Identity {
  deviceId: string
  visitorId: string
  /** The readings that the device identifier rests on; empty means nil identifiers. */
  components: ReadingName[]
}

export interface Identified extends Enriched {
  identity: Identity
}

/** One entry of the score with what it rests on. */
export interface ScoreEntry {
  name: string
  description: string
  /** What the signal weighs. */
  weight: number
  /** What it added to the score; 0 when suppressed or informational. */
  value: number
  suppressedBy?: string
  evidence: Record<string, unknown>
}

export interface Verdict {
  score: number
  flags: DetectionFlags
  entries: ScoreEntry[]
  /** Names of the signals that were checked and are fine. */
  clear: string[]
  /** Names of the signals whose facts were missing. */
  unknown: string[]
  connectionType: string
}

export interface Scored extends Identified {
  verdict: Verdict
}

/** What a History row and an event are made of: a scored visit, or the marker of one over the limit. */
export type Recorded = Omit<Scored, 'request' | 'landing' | 'via' | 'readings' | 'body'>
