import { LRUCache } from 'lru-cache'
import { formatAddress, type ParsedAddress, parseAddress } from '../../lib/parse-address.ts'
import type { TurnTransport } from '../../visit/network-evidence.ts'

/** Where a message came from and its answer goes. */
export interface TurnSource {
  transport: TurnTransport
  parsed: ParsedAddress
  /** In normal form; an IPv4 peer of a dual-stack socket is IPv4. */
  address: string
  port: number
}

/** Undefined for a peer that cannot be answered, such as one whose forged packet came from port 0. */
export function turnSource(transport: TurnTransport, peer: string, port: number): TurnSource | undefined {
  const [withoutZone = ''] = peer.split('%', 1)
  const parsed = parseAddress(withoutZone)
  if (parsed === undefined || port === 0) return undefined
  return { transport, parsed, address: formatAddress(parsed), port }
}

/** The network that shares one allowance: an IPv4 address, or an IPv6 /64, which is one customer's. */
export const networkOf = ({ parsed, address }: TurnSource): string =>
  parsed.family === 4 ? address : `${parsed.words[0]}:${parsed.words[1]}`

/** A browser sends three to six messages; this is some thirty visitors of one office at once. */
const BURST = 120
/** At 68 bytes an answer, the most that forged packets can make us send to one victim is 2 kB a second. */
const PER_SECOND = 30
/** About 10 MB; a network that falls out starts afresh. */
const NETWORKS_MAX = 50_000

interface Bucket {
  left: number
  atMs: number
}

/**
 * Whether a source may be answered once more. The transports count apart: a source of UDP can be forged, and
 * forging it must not lock the visitor out of TCP. Of fixed size and without timers, because anybody
 * can come from a million addresses.
 */
export function createSourceAllowance(monotonicMs: () => number): (source: TurnSource) => boolean {
  const buckets = new LRUCache<string, Bucket>({ max: NETWORKS_MAX })
  return (source) => {
    const key = `${source.transport} ${networkOf(source)}`
    const atMs = monotonicMs()
    const bucket = buckets.get(key) ?? { left: BURST, atMs }
    const left = Math.min(BURST, bucket.left + ((atMs - bucket.atMs) * PER_SECOND) / 1000)
    const allowed = left >= 1
    buckets.set(key, { left: allowed ? left - 1 : left, atMs })
    return allowed
  }
}
