import { LRUCache } from 'lru-cache'
import { formatAddress, type ParsedAddress, parseAddress } from '../../lib/address.ts'
import { limitKeys } from '../../lib/address-limit.ts'
import type { TurnTransport } from '../../visit/network-evidence.ts'

/** The sender of a message, to whom the response goes. */
export interface TurnSource {
  transport: TurnTransport
  parsed: ParsedAddress
  /** In normal form; an IPv4 peer of a dual-stack socket is IPv4. */
  address: string
  port: number
}

/** Undefined for a peer that cannot be answered, such as a forged packet from port 0. */
export function turnSource(transport: TurnTransport, peer: string, port: number): TurnSource | undefined {
  const [withoutZone = ''] = peer.split('%', 1)
  const parsed = parseAddress(withoutZone)
  if (parsed === undefined || port === 0) return undefined
  return { transport, parsed, address: formatAddress(parsed), port }
}

/** The network that shares one limit. */
export const sourceNetwork = ({ address }: TurnSource): string => limitKeys(address)[0]

/** A browser sends three to six messages, so this is about thirty visitors of one office at once. */
const BURST = 120
/** A response has 68 bytes, so forged packets can make the server send at most 2 kB a second to a victim. */
const PER_SECOND = 30
/** About 10 MB. A network that is evicted starts with a full bucket. */
const NETWORKS_MAX = 50_000

interface Bucket {
  left: number
  atMs: number
}

/**
 * A token bucket per network and transport; returns whether the source may get one more response. UDP sources
 * can be forged, and that must not lock the visitor out of TCP. Written by hand because every packet passes it
 * and anyone can send from a million addresses: `rate-limiter-flexible` takes a promise and a timer per key.
 */
export function createSourceRateLimit(monotonicMs: () => number): (source: TurnSource) => boolean {
  const buckets = new LRUCache<string, Bucket>({ max: NETWORKS_MAX })
  return (source) => {
    const key = `${source.transport} ${sourceNetwork(source)}`
    const atMs = monotonicMs()
    const bucket = buckets.get(key) ?? { left: BURST, atMs }
    const left = Math.min(BURST, bucket.left + ((atMs - bucket.atMs) * PER_SECOND) / 1000)
    const allowed = left >= 1
    buckets.set(key, { left: allowed ? left - 1 : left, atMs })
    return allowed
  }
}
