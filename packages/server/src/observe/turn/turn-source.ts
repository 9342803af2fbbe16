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
