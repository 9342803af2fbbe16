import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { isLoopback } from '../../lib/is-loopback.ts'
import { parseAddress } from '../../lib/parse-address.ts'
import { isPublicAddress } from '../../lib/public-address.ts'
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

/** One accepted TCP connection and what was seen of it so far. */
export interface Connection {
  /** Its own socket, below TLS. */
  socket: Socket
  /** On the monotonic clock. */
  acceptedAtMs: number
  /** The visitor, or the nearest that is known: the other end, or whom a PROXY header names. */
  peer: Peer
  /** Whether a PROXY header came: the other end is then a balancer, and so is what the kernel knows. */
  balanced: boolean
  /** IP and TCP headers of the first packet; undefined where the kernel kept none. */
  syn: Uint8Array | undefined
  tls: Observation<TlsFacts>
  /** SETTINGS, WINDOW_UPDATE and PRIORITY part; the pseudo-headers follow with each request. */
  http2: Observation<string>
}

export interface EvidenceDeps {
  kernel: Kernel
  /** Whether an address is one of a proxy that ends connections, whose own ones say nothing of visitors. */
  isTrustedProxy(address: string): boolean
}

const BEHIND_PROXY = unavailable('behind_proxy')

const ALL_BEHIND_PROXY: ConnectionEvidence = {
  syn: BEHIND_PROXY,
  tcpRoundTrip: BEHIND_PROXY,
  tls: BEHIND_PROXY,
  http2: BEHIND_PROXY,
  headers: BEHIND_PROXY,
}

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
  // The kernel keeps none while it answers a flood with SYN cookies.
  if (!syn) return unavailable('not_saved')
  const facts = parseSyn(syn)
  return facts ? observed('kernel', facts) : unavailable('unreadable')
}

/** Asks the kernel anew: the smallest round trip comes closer to the truth with each packet. */
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

function http2Evidence(opening: Observation<string>, rawHeaders: readonly string[]): Observation<Http2Facts> {
  if (!opening.available) return opening
  return observed('http', { fingerprint: `${opening.value}|${pseudoHeaderOrder(rawHeaders)}` })
}

/**
 * The file descriptor of a socket or server; undefined once it is closed. Use it at once and never keep it:
 * the number soon means another file. Node offers no public way to it.
 */
export function descriptorOf(owner: object): number | undefined {
  const { _handle: handle } = owner as { _handle?: { fd?: number } | null }
  return handle?.fd !== undefined && handle.fd >= 0 ? handle.fd : undefined
}

const PROXY_HEADERS = ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip']

/**
 * Takes out what a connection shows of somebody else than the visitor. A proxy in the operator's own network
 * that nobody declared would make every visitor look like that proxy: its headers give it away. And what
 * comes from this very machine came over no path at all.
 */
export function withoutUndeclaredProxy(
  evidence: ConnectionEvidence,
  peer: string,
  headers: IncomingHttpHeaders,
): ConnectionEvidence {
  const address = parseAddress(peer)
  if (!address || isPublicAddress(address)) return evidence
  if (PROXY_HEADERS.some((name) => headers[name] !== undefined)) return UNDECLARED
  return isLoopback(address) ? { ...evidence, tcpRoundTrip: unavailable('loopback') } : evidence
}

const NOT_THE_VISITOR = unavailable('undeclared_proxy')
const UNDECLARED: ConnectionEvidence = {
  syn: NOT_THE_VISITOR,
  tcpRoundTrip: NOT_THE_VISITOR,
  tls: NOT_THE_VISITOR,
  http2: NOT_THE_VISITOR,
  headers: NOT_THE_VISITOR,
}

/** Browsers send about twenty; names beyond these only cost room. */
const NAMES_MAX = 64
const NAME_LENGTH_MAX = 64
const VALUE_LENGTH_MAX = 512

type Headers = NodeJS.Dict<string | string[]>

export interface RequestHead {
  httpVersion: string
  /** Names and values in turn, as `node:http` and the compatibility layer of `node:http2` give them. */
  rawHeaders: readonly string[]
  headers: Headers
}

/** Names in their order and the few values that are compared with the browser's own word; all cut in length. */
export const headerFacts = ({ httpVersion, rawHeaders, headers }: RequestHead): HeaderFacts => ({
  httpVersion,
  names: rawHeaders
    .slice(0, NAMES_MAX * 2)
    .filter((_, index) => index % 2 === 0)
    .map((name) => name.slice(0, NAME_LENGTH_MAX)),
  acceptLanguage: cutValue(headers, 'accept-language'),
  clientHintPlatform: cutValue(headers, 'sec-ch-ua-platform').replace(/^"(.*)"$/, '$1'),
  clientHintBrands: cutValue(headers, 'sec-ch-ua'),
})

const cutValue = (headers: Headers, name: string): string =>
  (headers[name]?.toString() ?? '').slice(0, VALUE_LENGTH_MAX)
