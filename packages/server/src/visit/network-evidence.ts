import type { NetworkReport } from '@inkling/contract'

/*
 * Evidence that the server itself observes on a visitor's connections, as opposed to what the browser reports.
 * Plain JSON: it is stored with the snapshot, so that a visit can be scored again.
 */

/** An observed value and its source, or the reason why there is none. Absence alone is never suspicious. */
export type Observation<Value> =
  | { available: true; source: EvidenceSource; value: Value }
  | { available: false; reason: string }

export type EvidenceSource =
  | 'kernel'
  | 'proxy_protocol'
  | 'tls'
  | 'http'
  | 'turn'
  | 'websocket'
  | 'proxy'
  | 'edge'

export const observed = <Value>(source: EvidenceSource, value: Value): Observation<Value> => ({
  available: true,
  source,
  value,
})

export const unavailable = (reason: string): { available: false; reason: string } => ({
  available: false,
  reason,
})

/** The visitor's SYN as saved by the kernel. */
export interface SynFacts {
  /** The raw IP and TCP headers in hex, for future rules. */
  raw: string
  ipVersion: 4 | 6
  /** On arrival: the initial value minus the hops. */
  ttl: number
  window: number
  /** Kinds of the TCP options in order, such as `2-4-8-1-3`. */
  options: string
  /** Undefined if the packet had none. */
  mss: number | undefined
  windowScale: number | undefined
}

export interface TlsFacts {
  /** JA4 of the ClientHello. */
  ja4: string
  /** Negotiated, such as `TLSv1.3`. */
  version: string
  /** Negotiated protocol: `h2`, `http/1.1`, or empty. */
  alpn: string
  /** From accepting the connection to a complete ClientHello, milliseconds; undefined where a proxy reported the JA4. */
  helloGapMs?: number | undefined
  /** Undefined where a proxy reported the JA4, and in snapshots of earlier releases. */
  hello?: HelloFacts | undefined
  /** Whether many proven visits of this installation came by such TLS with the browser that the visit claims. */
  usual?: boolean | undefined
  /**
   * False where nothing of the visitor's network loaded the agent's script by such TLS, although practically all proven
   * visits of the page's host are preceded by it; never true.
   */
  scriptLoaded?: false | undefined
}

/** What shows which TLS library wrote a ClientHello. GREASE values are left out of the lists. */
export interface HelloFacts {
  /** Whether there are GREASE values among the ciphers and among the extensions. */
  grease: boolean
  /** Types of the extensions, in order. */
  extensions: readonly number[]
  /** Groups for the key exchange, in order. */
  groups: readonly number[]
  /** Protocols in ALPN, in order. */
  protocols: readonly string[]
}

export interface Http2Facts {
  /** `SETTINGS|WINDOW_UPDATE|PRIORITY|pseudo-header order`, such as `1:65536;2:0|15663105|0|m,a,s,p`. */
  fingerprint: string
  /** Whether many proven visits with the same browser have it. */
  usual?: true | undefined
}

/** Headers of the request that carried the snapshot. */
export interface HeaderFacts {
  httpVersion: string
  /** Names in order and in their original case, including pseudo-headers. */
  names: readonly string[]
  acceptLanguage: string
  /** `Sec-CH-UA-Platform` without its quotes; empty if not sent. */
  clientHintPlatform: string
  /** `Sec-CH-UA`; empty if not sent. */
  clientHintBrands: string
  /** `Sec-Fetch-Site`, `-Mode` and `-Dest` with slashes between, such as `cross-site/cors/empty`. Not in old snapshots. */
  fetchMetadata?: string
  /** `Accept`; empty if not sent. Not in old snapshots. */
  accept?: string
}

/** What the connection that carried the snapshot shows. */
export interface ConnectionEvidence {
  syn: Observation<SynFacts>
  /** The kernel's minimum round trip to the TCP peer, milliseconds. */
  tcpRoundTrip: Observation<{ minMs: number }>
  tls: Observation<TlsFacts>
  http2: Observation<Http2Facts>
  headers: Observation<HeaderFacts>
}

export type TurnTransport = 'udp' | 'tcp'

/** The address at which a holder of the request's credential receives and sends packets. */
export interface TurnSighting {
  /** IPv4 or IPv6 in normal form. */
  address: string
  port: number
  transport: TurnTransport
  /** From the server's challenge to its answer; a single sample. */
  roundTripMs: number
  /** The network code that wrote the messages, recognised by their attributes. */
  engine: 'libwebrtc' | 'gecko' | 'other'
}

export interface TurnFacts {
  sightings: readonly TurnSighting[]
  /** Whether the first sighting came after a verdict that was based on its absence. */
  late: boolean
}

/** Evidence of checks that run beside and after the snapshot. */
export interface FollowUpEvidence {
  /**
   * Reasons: `off`; `not_started` (no follow-up channel); `pending`; `unsupported` (no WebRTC); `failed`; `interrupted`
   * (the page was left); `unproven` (no packet has ever arrived, so the port may be blocked); `no_packet`, the only one
   * that says something about the visitor.
   */
  turn: Observation<TurnFacts>
  /**
   * Minimum round trips of WebSocket pings, and of the kernel on the same connection. Reasons: `not_started` (no
   * follow-up channel yet, or none at all); `never_opened` (none, unlike other visits of the domain); `pending`;
   * `not_measured`.
   */
  roundTrip: Observation<{ applicationMinMs: number; tcpMinMs: number; samples: number }>
  report: Observation<NetworkReport>
}

export interface NetworkEvidence extends ConnectionEvidence, FollowUpEvidence {}

const NOT_OBSERVED = unavailable('not_observed')

/** For requests without evidence. */
export const NO_CONNECTION_EVIDENCE: ConnectionEvidence = {
  syn: NOT_OBSERVED,
  tcpRoundTrip: NOT_OBSERVED,
  tls: NOT_OBSERVED,
  http2: NOT_OBSERVED,
  headers: NOT_OBSERVED,
}

const NOT_STARTED = unavailable('not_started')

export const NO_FOLLOW_UP_EVIDENCE: FollowUpEvidence = {
  turn: NOT_STARTED,
  roundTrip: NOT_STARTED,
  report: NOT_STARTED,
}

export interface CheckedAddress {
  address: string
  /** In English; empty when unknown. */
  country: string
}

export interface Leak extends CheckedAddress {
  /** Whether it belongs to another network than the request's address: a carrier may give a visitor several addresses. */
  otherNetwork: boolean
}

/** What the network check found, compared with the address of the request. */
export interface NetworkCheck {
  /** Where packets of the check came from, if any did. */
  service: CheckedAddress | undefined
  /** Set if that is not the address of the request. */
  leak: Leak | undefined
  requestSeen: boolean
  browserPassed: boolean
  /** `ok`, `reply_without_request`, `request_without_reply`; empty when neither happened. */
  flowStatus: '' | 'ok' | 'reply_without_request' | 'request_without_reply'
}

export const NO_NETWORK_CHECK: NetworkCheck = {
  service: undefined,
  leak: undefined,
  requestSeen: false,
  browserPassed: false,
  flowStatus: '',
}
