import type { DetectionFlags, ReadingName } from '@inkling/contract'
import type { ClientFacts } from '../enrich/client-facts.ts'
import type { VerifiedCrawler } from '../enrich/crawlers/crawler-verifier.ts'
import type { HeaderConsistency } from '../enrich/header-consistency.ts'
import type { IpFacts } from '../enrich/ip/ip-facts.ts'
import type { NetworkStack } from '../enrich/network-stack.ts'
import type { TrafficSource } from '../enrich/traffic-source.ts'
import type { NetworkCheck } from './network-evidence.ts'
import type { Received } from './received.ts'

export interface Enriched extends Received {
  ip: IpFacts
  client: ClientFacts
  stack: NetworkStack
  /** Where the request's headers contradict the browser's readings. */
  headers: HeaderConsistency
  check: NetworkCheck
  /** The crawler that its address confirms; undefined for all other visits. */
  crawler: VerifiedCrawler | undefined
  traffic: TrafficSource
}

/** An earlier verdict on the same device at the same address that still applies. */
export interface StickyVerdict {
  name: string
  /** Of the original entry. */
  description: string
  requestId: string
}

export interface Identity {
  deviceId: string
  visitorId: string
  /** The readings that the device ID is based on; empty for nil identifiers. */
  components: ReadingName[]
  /** Why it is this device; undefined for nil identifiers. */
  decision?: IdentityDecision | undefined
}

/**
 * `cookie`: a known cookie; `linked`: recognised by its components; `new`: like no known device, or like too many to
 * choose one; `separated`: a cookie of a known device that proved to be another machine's; `cookie_carried_over`: a
 * known cookie on other hardware.
 */
export type DecisionOutcome = 'cookie' | 'linked' | 'new' | 'separated' | 'cookie_carried_over'

/** Why a visit got its device. Components have the names of `identify/components.ts`. */
export interface IdentityDecision {
  outcome: DecisionOutcome
  /** Probability that the decision is right, 0 to 1. */
  confidence: number
  /** Compared with the chosen device, or with the likeliest one when none was chosen. */
  agreed: string[]
  changed: string[]
  /** Missing, or noisy. */
  absent: string[]
  /** Known devices with the same components, and all with the same system and browser. */
  clones: number
  devices: number
  /** Number of devices that were compared. */
  candidates: number
  /** Hardware that differs from what the device showed before. */
  hardwareFlips: string[]
  /** ID of the device that this visit merged into the chosen one. */
  merged: string | undefined
}

export interface Identified extends Enriched {
  identity: Identity
  sticky: StickyVerdict | undefined
}

/** One entry of the score, with its evidence. */
export interface ScoreEntry {
  name: string
  description: string
  /** Points of the signal. */
  weight: number
  /** Points added to the score: 0 when suppressed or informational. */
  value: number
  suppressedBy?: string
  evidence: Record<string, unknown>
}

export interface Verdict {
  score: number
  flags: DetectionFlags
  entries: ScoreEntry[]
  /** Names of the signals that were checked and not raised. */
  clear: string[]
  /** Names of the signals whose facts were missing. */
  unknown: string[]
  connectionType: string
  /** Version of the domain's own weights, `file` for an operator's file, undefined for the default weights. */
  rules?: number | 'file' | undefined
}

export interface Scored extends Identified {
  verdict: Verdict
}

/** The input of a History row and an event: a scored visit, or the marker of an address over the limit. */
export type Recorded = Omit<
  Scored,
  | 'request'
  | 'landing'
  | 'via'
  | 'readings'
  | 'proof'
  | 'body'
  | 'network'
  | 'followUp'
  | 'late'
  | 'sticky'
  | 'crawler'
  | 'headers'
>
