import { formatAddress, type ParsedAddress, parseAddress } from '../../lib/address.ts'
import { limitKeys } from '../../lib/address-limit.ts'
import { createTokenBuckets } from '../../lib/token-buckets.ts'
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
const sourceNetwork = ({ address }: TurnSource): string => limitKeys(address)[0]

/** A browser sends three to six messages, so this is about thirty visitors of one office at once. */
const BURST = 120
/** A response has 68 bytes, so forged packets can make the server send at most 2 kB a second to a victim. */
const PER_SECOND = 30

/**
 * Whether a source may get one more response, by network and transport: UDP sources can be forged, and that must not
 * lock the visitor out of TCP.
 */
export function createSourceRateLimit(monotonicMs: () => number): (source: TurnSource) => boolean {
  const isAllowed = createTokenBuckets({ burst: BURST, perSecond: PER_SECOND, monotonicMs })
  return (source) => isAllowed(`${source.transport} ${sourceNetwork(source)}`)
}
