import type { DetectionFlags, ReadingName } from '@inkling/contract'
import type { ClientFacts } from '../enrich/client-facts.ts'
import type { VerifiedCrawler } from '../enrich/crawlers/crawler-verifier.ts'
import type { HeaderConsistency } from '../enrich/header-consistency.ts'
import type { IpFacts } from '../enrich/ip/ip-facts.ts'
import type { NetworkStack } from '../enrich/network-stack.ts'
import type { TrafficSource } from '../enrich/traffic-source.ts'
import type { AgentIdentity } from './agent-identity.ts'
import type { ListMatch } from './list-match.ts'
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
  /** The program that the request declares; undefined for all other visits. */
  agent?: AgentIdentity | undefined
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
 * `cookie`: a known cookie; `device_key`: the key of a known browser, under a cookie that the device never had; `linked`:
 * recognised by its components; `new`: like no known device, or like too many to choose one; `separated`: a cookie of a
 * known device that proved to be another machine's; `cookie_carried_over`: a known cookie on other hardware.
 */
export type DecisionOutcome = 'cookie' | 'device_key' | 'linked' | 'new' | 'separated' | 'cookie_carried_over'

/**
 * What the keys say that browsers proved with the visit's cookie. `first`: a new key, which nothing contradicts; `same`:
 * the key that came with the cookie before; `on_other_cookie`: a known key under a cookie it never came with; `replaced`
 * and `missing`: another key than before, or none, on hardware that agrees; `another_machine`: the same on hardware
 * that differs, which is how a stolen cookie looks; `copied`: a known key on other hardware, as in a profile that was
 * moved.
 */
export type KeyHistory =
  | 'first'
  | 'same'
  | 'on_other_cookie'
  | 'replaced'
  | 'missing'
  | 'another_machine'
  | 'copied'

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
  /** Where the device that these differ from was another browser, or on another system. */
  isOtherFamily?: true | undefined
  /** Where the version of browser or system is another than that of the device compared with. */
  isOtherVersion?: true | undefined
  /** Where nothing but a look, of this visit or of an earlier one with its cookie or key, ties it to the device. */
  isByLook?: true | undefined
  /** ID of the device that this visit merged into the chosen one. */
  merged: string | undefined
  /** ID of the device that earlier visits of its cookie were taken for, where it is `separated`. */
  separatedFrom?: string | undefined
  /** Undefined where neither the visit nor its cookie has a key. */
  keyHistory?: KeyHistory | undefined
}

export interface Identified extends Enriched {
  identity: Identity
  sticky: StickyVerdict | undefined
  /** The entries of the domain's lists that it matches. They change no score. */
  lists?: readonly ListMatch[] | undefined
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

/** How much of what could be known of a visit was known and proven. */
export interface Coverage {
  /** 0 to 1. */
  evidence: number
  /** How much of each source is known, 0 to 1, and its weight out of 100. */
  sources: { name: string; weight: number; known: number }[]
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
  /** Undefined where nothing was judged. */
  coverage?: Coverage | undefined
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
  | 'signed'
  | 'body'
  | 'network'
  | 'followUp'
  | 'late'
  | 'sticky'
  | 'crawler'
  | 'headers'
> &
  Partial<Pick<Scored, 'proof'>>
