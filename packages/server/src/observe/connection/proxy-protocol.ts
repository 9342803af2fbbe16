import { formatAddress, parseAddress } from '../../lib/parse-address.ts'
import { FOREIGN, more, type Reading, read } from './peek.ts'

export interface Peer {
  /** IPv4 or IPv6 in normal form. */
  address: string
  port: number
}

/** What a load balancer writes ahead of a connection that it passes on. */
export interface ProxyHeader {
  /** Whose connection it is; undefined where the balancer speaks for itself or does not know. */
  source: Peer | undefined
  /** How long the header is; what follows is the connection's own. */
  bytes: number
}

const V1_START = Buffer.from('PROXY ', 'latin1')
/** With its CRLF, as the specification gives it. */
const V1_BYTES_MAX = 107
const V2_START = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1')
const V2_HEAD_BYTES = 16
/** Addresses take 36; TLVs of common balancers some hundred more. */
const V2_BYTES_MAX = 4_096

/**
 * Reads a PROXY protocol header, version 1 or 2, as https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt
 * defines it. `foreign` are bytes that begin otherwise; `malformed` begin like a header and are none.
 */
export function readProxyHeader(bytes: Buffer): Reading<ProxyHeader | 'malformed'> {
  if (startsLike(bytes, V1_START))
    return bytes.length < V1_START.length ? more(bytes.length + 1) : readV1(bytes)
  if (startsLike(bytes, V2_START)) return bytes.length < V2_HEAD_BYTES ? more(V2_HEAD_BYTES) : readV2(bytes)
  return FOREIGN
}

/** Whether the bytes there are agree with the start of a header, however few they be. */
const startsLike = (bytes: Buffer, start: Buffer): boolean => {
  const shared = Math.min(bytes.length, start.length)
  return bytes.subarray(0, shared).equals(start.subarray(0, shared))
}

const MALFORMED = read('malformed' as const)

function readV1(bytes: Buffer): Reading<ProxyHeader | 'malformed'> {
  const end = bytes.subarray(0, V1_BYTES_MAX).indexOf('\r\n')
  if (end < 0) return bytes.length < V1_BYTES_MAX ? more(bytes.length + 1) : MALFORMED
  const fields = bytes.toString('latin1', V1_START.length, end).split(' ')
  const header = (source: Peer | undefined) => read({ source, bytes: end + 2 })
  if (fields[0] === 'UNKNOWN') return header(undefined)
  const [family, from = '', to = '', fromPort = '', toPort = ''] = fields
  const source = peer(from, fromPort, family)
  return fields.length === 5 && source && peer(to, toPort, family) ? header(source) : MALFORMED
}

function peer(text: string, portText: string, family: string | undefined): Peer | undefined {
  const address = parseAddress(text)
  // A mapped address in a TCP6 line is IPv4 to us, as everywhere.
  if (!address || family !== (text.includes(':') ? 'TCP6' : 'TCP4')) return undefined
  if (!/^(0|[1-9]\d{0,4})$/.test(portText) || Number(portText) > 65_535) return undefined
  return { address: formatAddress(address), port: Number(portText) }
}

const COMMAND_LOCAL = 0x20
const COMMAND_PROXY = 0x21
const FAMILY_TCP4 = 0x11
const FAMILY_TCP6 = 0x21
/** Unspecified, UDP and Unix sockets: taken, and their addresses skipped, as receivers should. */
const FAMILIES_SKIPPED = new Set([0x00, 0x12, 0x22, 0x31, 0x32])

function readV2(bytes: Buffer): Reading<ProxyHeader | 'malformed'> {
  const length = V2_HEAD_BYTES + bytes.readUInt16BE(14)
  const command = bytes[12]
  if ((command !== COMMAND_LOCAL && command !== COMMAND_PROXY) || length > V2_BYTES_MAX) return MALFORMED
  if (bytes.length < length) return more(length)
  if (command === COMMAND_LOCAL) return read({ source: undefined, bytes: length })
  // TLVs may follow the addresses; nothing in them is needed.
  const addresses = bytes.subarray(V2_HEAD_BYTES, length)
  if (bytes[13] === FAMILY_TCP4 && addresses.length >= 12)
    return read({ source: sourceIn(addresses, 4), bytes: length })
  if (bytes[13] === FAMILY_TCP6 && addresses.length >= 36)
    return read({ source: sourceIn(addresses, 16), bytes: length })
  return FAMILIES_SKIPPED.has(bytes[13] ?? -1) ? read({ source: undefined, bytes: length }) : MALFORMED
}

/** Source address, destination address, source port, in network order. */
function sourceIn(addresses: Buffer, addressBytes: 4 | 16): Peer | undefined {
  const groups =
    addressBytes === 4
      ? [...addresses.subarray(0, 4)].join('.')
      : Array.from({ length: 8 }, (_, index) => addresses.readUInt16BE(index * 2).toString(16)).join(':')
  const address = parseAddress(groups)
  return address && { address: formatAddress(address), port: addresses.readUInt16BE(addressBytes * 2) }
}
