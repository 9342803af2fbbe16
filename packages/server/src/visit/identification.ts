import type { DetectionFlags, ReadingName, ReadingValues } from '@inkling/contract'
import type { ClientFacts } from '../enrich/client-facts.ts'
import type { VerifiedCrawler } from '../enrich/crawlers/verified-crawler.ts'
import type { HeaderConsistency } from '../enrich/header-consistency.ts'
import type { IpFacts } from '../enrich/ip/ip-facts.ts'
import type { NetworkStack } from '../enrich/network-stack.ts'
import type { TrafficSource } from '../enrich/traffic-source.ts'
import type { NetworkCheck, NetworkEvidence } from './network-evidence.ts'

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
  /** What the server saw of the connection; grows while follow-up checks report. */
  network: NetworkEvidence
  landing: { url: string; referrer: string }
  /** `noscript`: the beacon of a page whose visitor runs no JavaScript. */
  via: 'agent' | 'noscript'
  readings: Readings
  /** Whether the agent opened the channel for checks that report later. */
  followUp: boolean
  /** The plain JSON body as it was sent. */
  body: string
  /** JSON of the readings that came later, over the follow-up channel. */
  late: string | undefined
}

export interface Enriched extends Received {
  ip: IpFacts
  client: ClientFacts
  stack: NetworkStack
  /** What the request's headers contradict in the browser's own word. */
  headers: HeaderConsistency
  check: NetworkCheck
  /** The crawler that it proved to be, by its address; undefined for everyone else. */
  crawler: VerifiedCrawler | undefined
  traffic: TrafficSource
}

/** An earlier verdict on the same device at the same address that still counts. */
export interface StickyVerdict {
  name: string
  /** Of the original entry. */
  description: string
  requestId: string
}

export interface Identity {
  deviceId: string
  visitorId: string
  /** The readings that the device identifier rests on; empty means nil identifiers. */
  components: ReadingName[]
  /** Why it is this device; undefined for nil identifiers. */
  decision?: IdentityDecision | undefined
}

/**
 * `cookie`: a known cookie; `linked`: known by its facts; `new`: like no known device, or like too many to say
 * which; `separated`: a cookie that was taken for another device's proved to have one of its own;
 * `cookie_carried_over`: a known cookie on other hardware.
 */
export type DecisionOutcome = 'cookie' | 'linked' | 'new' | 'separated' | 'cookie_carried_over'

/** What an identity rests on. Components have the names of `identify/components.ts`. */
export interface IdentityDecision {
  outcome: DecisionOutcome
  /** Probability that the decision is right, 0 to 1. */
  confidence: number
  /** Compared with the device that was chosen, or else the likeliest one. */
  agreed: string[]
  changed: string[]
  /** Missing, or noisy. */
  absent: string[]
  /** How many known devices look the same as this one, of how many with the same system and browser. */
  clones: number
  devices: number
  /** How many devices were compared. */
  candidates: number
  /** Hardware that is not what it was on this device. */
  hardwareFlips: string[]
  /** Device ID that this visit proved to be another name of the device. */
  merged: string | undefined
}

export interface Identified extends Enriched {
  identity: Identity
  sticky: StickyVerdict | undefined
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
  /** The version of a domain's own weights that decided, `file` for an operator's file; undefined for the release's. */
  rules?: number | 'file' | undefined
}

export interface Scored extends Identified {
  verdict: Verdict
}

/** What a History row and an event are made of: a scored visit, or the marker of one over the limit. */
export type Recorded = Omit<
  Scored,
  | 'request'
  | 'landing'
  | 'via'
  | 'readings'
  | 'body'
  | 'network'
  | 'followUp'
  | 'late'
  | 'sticky'
  | 'crawler'
  | 'headers'
>
