import type { NetworkReport } from '@inkling/contract'

/**
 * What the server itself saw of a visitor's connection, as opposed to what a browser says of itself.
 * Plain JSON, so that it is stored with the snapshot and can be scored again under other rules.
 */

/** What was seen and where, or why there is nothing: absence alone is never suspicious. */
export type Observation<Value> =
  | { available: true; source: EvidenceSource; value: Value }
  | { available: false; reason: string }

export type EvidenceSource = 'kernel' | 'proxy_protocol' | 'tls' | 'http' | 'turn' | 'websocket'

export const observed = <Value>(source: EvidenceSource, value: Value): Observation<Value> => ({
  available: true,
  source,
  value,
})

export const unavailable = (reason: string): { available: false; reason: string } => ({
  available: false,
  reason,
})

/** The visitor's first packet as the kernel kept it. */
export interface SynFacts {
  /** The raw IP and TCP headers in hex, so that later rules can read more out of them. */
  raw: string
  ipVersion: 4 | 6
  /** As it arrived: the initial value less the hops. */
  ttl: number
  window: number
  /** Kinds of the TCP options in their order, such as `2-4-8-1-3`. */
  options: string
  /** Undefined where the packet carried none. */
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
  /** From accepting the connection until its ClientHello was whole. */
  helloGapMs: number
}

export interface Http2Facts {
  /** `SETTINGS|WINDOW_UPDATE|PRIORITY|pseudo-header order`, such as `1:65536;2:0|15663105|0|m,a,s,p`. */
  fingerprint: string
}

/** Headers of the request that carried the snapshot, in the order they came. */
export interface HeaderFacts {
  httpVersion: string
  /** As they were written, pseudo-headers included, without values. */
  names: readonly string[]
  acceptLanguage: string
  /** `Sec-CH-UA-Platform` without its quotes; empty when not sent. */
  clientHintPlatform: string
  /** `Sec-CH-UA` as sent; empty when not sent. */
  clientHintBrands: string
}

/** What the connection shows that carried the snapshot. */
export interface ConnectionEvidence {
  syn: Observation<SynFacts>
  /** The kernel's own smallest round trip to the other end of the TCP connection, milliseconds. */
  tcpRoundTrip: Observation<{ minMs: number }>
  tls: Observation<TlsFacts>
  http2: Observation<Http2Facts>
  headers: Observation<HeaderFacts>
}

export type TurnTransport = 'udp' | 'tcp'

/** The address at which somebody who holds the request's credential received and sent packets. */
export interface TurnSighting {
  /** IPv4 or IPv6 in normal form. */
  address: string
  port: number
  transport: TurnTransport
  /** From our challenge to its answer; one sample. */
  roundTripMs: number
  /** Whose network code wrote the messages, told by their form. */
  engine: 'libwebrtc' | 'gecko' | 'other'
}

export interface TurnFacts {
  sightings: readonly TurnSighting[]
  /** Whether the first of them came after the follow-up window had closed. */
  late: boolean
}

/** What checks show that run beside and after the snapshot. */
export interface FollowUpEvidence {
  /**
   * Reasons: `off`; `not_started` (no follow-up channel); `pending`; `unsupported` (no WebRTC); `interrupted`
   * (the page left); `unproven` (nobody's packet ever came through, so the port may be shut); `no_packet`,
   * the only one that says something of the visitor.
   */
  turn: Observation<TurnFacts>
  /** Smallest round trip of WebSocket pings, and the kernel's smallest on the same connection. */
  roundTrip: Observation<{ applicationMinMs: number; tcpMinMs: number; samples: number }>
  report: Observation<NetworkReport>
}

export interface NetworkEvidence extends ConnectionEvidence, FollowUpEvidence {}

const NOT_OBSERVED = unavailable('not_observed')

/** Of a request that brought no evidence along. */
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
  /** Whether the two belong to different networks; one carrier may give a visitor several addresses. */
  otherNetwork: boolean
}

/** What the real-address check found, beside the address of the request. */
export interface NetworkCheck {
  /** Where packets of the check came from. */
  service: CheckedAddress | undefined
  /** Set when that is another address than the request's. */
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
