import type { ReadingName, ReadingValues } from '@inkling/contract'
import type { SignedRequest } from './agent-identity.ts'
import type { EdgeJoin } from './edge-join.ts'
import type { NetworkEvidence } from './network-evidence.ts'
import type { MeasuredCurve, Proof } from './proof.ts'

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

/**
 * `signed`: by the customer's backend. `claimed`: by the page alone, which anybody can imitate. `invalid`: with a wrong
 * signature. `dropped`: not stored, because the domain accepts signed ones only.
 */
export type AccountProof = 'signed' | 'claimed' | 'invalid' | 'dropped'

/** An identification as it arrived: parsed, its key and origin checked. */
export interface Received {
  domain: { id: number; name: string; namespace: string; falseMergeCost?: number | undefined }
  requestId: string
  sessionId: string
  cookieId: string
  userHid: string
  /** What vouches for the account; undefined where the domain has no key for that, or nobody is signed in. */
  account?: AccountProof
  /** Request host: the domain or one of its subdomains. */
  host: string
  /** Client address in normal form, IPv4 or IPv6. */
  address: string
  atMs: number
  request: RequestFacts
  /** What the server saw of the connection. Follow-up checks add to it. */
  network: NetworkEvidence
  /** The request, where it is signed as an agent's. */
  signed?: SignedRequest | undefined
  /** The assessment of the page's own request; undefined where the page has no key for that. */
  edge?: EdgeJoin | undefined
  landing: { url: string; referrer: string }
  /** `noscript`: the beacon of a page whose visitor runs no JavaScript; `edge`: a request alone, without its page. */
  via: 'agent' | 'noscript' | 'edge'
  readings: Readings
  /** Undefined where nothing is known of it: without JavaScript, and in snapshots of earlier releases. */
  proof: Proof | undefined
  /** The curves of a valid ticket; empty where the browser measured none. Compared when they arrive, and not stored. */
  curves?: readonly MeasuredCurve[] | undefined
  /** Whether the agent opens a follow-up channel. */
  followUp: boolean
  /** JSON of the body as far as it is known and kept. */
  body: string
  /** JSON of the readings that arrived over the follow-up channel, as far as they are kept. */
  late: string | undefined
}
