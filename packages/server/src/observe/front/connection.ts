import type { Socket } from 'node:net'
import {
  type ConnectionEvidence,
  type Http2Facts,
  type Observation,
  observed,
  type SynFacts,
  type TlsFacts,
  unavailable,
} from '../../visit/network-evidence.ts'
import { headerFacts, type RequestHead } from '../headers.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { parseSyn } from '../kernel/parse-syn.ts'
import { pseudoHeaderOrder } from './http2-settings.ts'
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
