import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { parseAddress } from '../../lib/address.ts'
import { isLoopback, isPublicAddress } from '../../lib/address-scope.ts'
import {
  type ConnectionEvidence,
  type HeaderFacts,
  type Http2Facts,
  type Observation,
  observed,
  type SynFacts,
  type TlsFacts,
  unavailable,
} from '../../visit/network-evidence.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { parseSyn } from '../kernel/parse-syn.ts'
import { pseudoHeaderOrder } from './http2.ts'
import type { Peer } from './proxy-protocol.ts'

/** One accepted TCP connection and what was observed of it so far. */
export interface Connection {
  /** The TCP socket, below TLS. */
  socket: Socket
  /** On the monotonic clock. */
  acceptedAtMs: number
  /** The TCP peer, or the client that a PROXY header names. */
  peer: Peer
  /** Whether there was a PROXY header: the TCP peer, and what the kernel knows of it, is then a balancer. */
  balanced: boolean
  /** IP and TCP headers of the SYN; undefined when the kernel saved none. */
  syn: Uint8Array | undefined
  tls: Observation<TlsFacts>
  /** The SETTINGS, WINDOW_UPDATE and PRIORITY part; the pseudo-headers come from each request. */
  http2: Observation<string>
}

export interface EvidenceDeps {
  kernel: Kernel
  /** Whether the address is a proxy that terminates connections, so that its connections tell nothing of visitors. */
  isTrustedProxy(address: string): boolean
}

/** Every kind of evidence is unavailable for the same reason. */
const allUnavailable = (reason: string): ConnectionEvidence => {
  const none = unavailable(reason)
  return { syn: none, tcpRoundTrip: none, tls: none, http2: none, headers: none }
}

const BEHIND_PROXY = unavailable('behind_proxy')
const ALL_BEHIND_PROXY = allUnavailable('behind_proxy')

/** What the connection shows of the visitor who sent the request. */
export function connectionEvidence(
  connection: Connection,
  request: RequestHead,
  deps: EvidenceDeps,
): ConnectionEvidence {
  if (deps.isTrustedProxy(connection.peer.address)) return ALL_BEHIND_PROXY
  return {
    syn: synEvidence(connection, deps),
    tcpRoundTrip: roundTripEvidence(connection, deps),
    tls: connection.tls,
    http2: http2Evidence(connection.http2, request.rawHeaders),
    headers: observed('http', headerFacts(request)),
  }
}

function synEvidence({ syn, balanced }: Connection, { kernel }: EvidenceDeps): Observation<SynFacts> {
  if (balanced) return BEHIND_PROXY
  if (!kernel.available) return unavailable(kernel.reason ?? 'no_kernel')
  // The kernel saves none while it answers a flood with SYN cookies.
  if (!syn) return unavailable('not_saved')
  const facts = parseSyn(syn)
  return facts ? observed('kernel', facts) : unavailable('unreadable')
}

/** Asks the kernel at each call: its minimum gets more accurate with every packet. */
export function roundTripEvidence(
  { socket, peer, balanced }: Connection,
  { kernel, isTrustedProxy }: Pick<EvidenceDeps, 'kernel' | 'isTrustedProxy'>,
): ConnectionEvidence['tcpRoundTrip'] {
  if (balanced || isTrustedProxy(peer.address)) return BEHIND_PROXY
  if (!kernel.available) return unavailable(kernel.reason ?? 'no_kernel')
  const fd = descriptorOf(socket)
  if (fd === undefined) return unavailable('closed')
  const info = kernel.tcpInfo(fd)
  return info ? observed('kernel', { minMs: info.minRttMs }) : unavailable('not_reported')
}

function http2Evidence(start: Observation<string>, rawHeaders: readonly string[]): Observation<Http2Facts> {
  if (!start.available) return start
  return observed('http', { fingerprint: `${start.value}|${pseudoHeaderOrder(rawHeaders)}` })
}

/**
 * The file descriptor of a socket or server; undefined once it is closed. Use it in the same turn and never
 * keep it: the system soon reuses the number. Node has no public API for it.
 */
export function descriptorOf(owner: object): number | undefined {
  const { _handle: handle } = owner as { _handle?: { fd?: number } | null }
  return handle?.fd !== undefined && handle.fd >= 0 ? handle.fd : undefined
}

/** Browsers send about twenty headers; more, or longer ones, would only use memory. */
const NAMES_MAX = 64
const NAME_LENGTH_MAX = 64
const VALUE_LENGTH_MAX = 512

export interface RequestHead {
  httpVersion: string
  /** Names and values in turn, as `node:http` and the compatibility API of `node:http2` provide them. */
  rawHeaders: readonly string[]
  headers: NodeJS.Dict<string | string[]>
}

/** The header names in order, and the values that are compared with what script reports. */
export const headerFacts = ({ httpVersion, rawHeaders, headers }: RequestHead): HeaderFacts => ({
  httpVersion,
  names: rawHeaders
    .slice(0, NAMES_MAX * 2)
    .filter((_, index) => index % 2 === 0)
    .map((name) => name.slice(0, NAME_LENGTH_MAX)),
  acceptLanguage: truncatedValue(headers, 'accept-language'),
  clientHintPlatform: truncatedValue(headers, 'sec-ch-ua-platform').replace(/^"(.*)"$/, '$1'),
  clientHintBrands: truncatedValue(headers, 'sec-ch-ua'),
  fetchMetadata: FETCH_METADATA.map((name) => truncatedValue(headers, name).slice(0, NAME_LENGTH_MAX)).join(
    '/',
  ),
  accept: truncatedValue(headers, 'accept').slice(0, NAME_LENGTH_MAX),
})

const FETCH_METADATA = ['sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest']

const truncatedValue = (headers: RequestHead['headers'], name: string): string =>
  (headers[name]?.toString() ?? '').slice(0, VALUE_LENGTH_MAX)

/** https://github.com/FoxIO-LLC/ja4/blob/main/technical_details/JA4.md; over TCP, since QUIC never reaches this server. */
const JA4 = /^t(?:1[0-3]|s[23]|00)[di]\d{4}[0-9A-Za-z]{2}_[0-9a-f]{12}_[0-9a-f]{12}$/

export const isJa4 = (text: string): boolean => JA4.test(text)

/**
 * The TLS of a visitor whose proxy ends it and reports its JA4. Only for connections from a trusted proxy: it has to
 * replace the header where a visitor sent one.
 */
export function withReportedTls(evidence: ConnectionEvidence, reported: unknown): ConnectionEvidence {
  if (typeof reported !== 'string' || !isJa4(reported)) return evidence
  return { ...evidence, tls: observed('proxy', { ja4: reported, version: '', alpn: '' }) }
}

const PROXY_HEADERS = ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip']
const UNDECLARED_PROXY = allUnavailable('undeclared_proxy')

/**
 * Drops evidence that is not about the visitor. A proxy in the operator's own network that `TRUST_PROXY`
 * does not declare would make every visitor look like that proxy; its headers give it away. Connections
 * from the machine itself have no network path to measure.
 */
export function withoutUndeclaredProxy(
  evidence: ConnectionEvidence,
  peer: string,
  headers: IncomingHttpHeaders,
): ConnectionEvidence {
  const address = parseAddress(peer)
  if (!address || isPublicAddress(address)) return evidence
  if (PROXY_HEADERS.some((name) => headers[name] !== undefined)) return UNDECLARED_PROXY
  return isLoopback(address) ? { ...evidence, tcpRoundTrip: unavailable('loopback') } : evidence
}
