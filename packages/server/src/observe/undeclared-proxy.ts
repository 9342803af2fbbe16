import type { IncomingHttpHeaders } from 'node:http'
import { isLoopback } from '../lib/is-loopback.ts'
import { parseAddress } from '../lib/parse-address.ts'
import { isPublicAddress } from '../lib/public-address.ts'
import { type ConnectionEvidence, unavailable } from '../visit/network-evidence.ts'

const PROXY_HEADERS = ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip']

/**
 * Takes out what a connection shows of somebody else than the visitor. A proxy in the operator's own network
 * that nobody declared would make every visitor look like that proxy: its headers give it away. And what
 * comes from this very machine came over no path at all.
 */
export function ofVisitorOnly(
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
