import type { Socket } from 'node:net'
import { formatAddress, parseAddress } from '../../lib/address.ts'
import { done, FOREIGN, more, type Parsed, peek } from './peek.ts'

export interface Peer {
  /** IPv4 or IPv6 in normal form. */
  address: string
  port: number
}

/** What a load balancer puts at the start of a connection that it forwards. */
export interface ProxyHeader {
  /** The client; undefined for the balancer's own connections and for clients it does not know. */
  source: Peer | undefined
  /** Length of the header; the client's bytes follow. */
  bytes: number
}

/** Addresses take 36 bytes; the TLVs of common balancers add a few hundred. */
const HEADER_BYTES_MAX = 4_096

/**
 * Consumes a PROXY header, if the connection starts with one, and passes it to `onHeader`. Closes the
 * connection instead when the header is malformed or late.
 */
export function consumeProxyHeader(
  socket: Socket,
  timeoutMs: number,
  onHeader: (header: ProxyHeader | undefined) => void,
): void {
  let header: ReturnType<typeof readProxyHeader> = FOREIGN
  const inspect = (bytes: Buffer): number => {
    header = readProxyHeader(bytes)
    return header.state === 'more' ? header.needBytes : 0
  }
  peek(socket, inspect, { bytesMax: HEADER_BYTES_MAX, timeoutMs }, (end) => {
    const found = header.state === 'done' ? header.value : undefined
    if (end !== 'enough' || found === 'malformed') {
      socket.destroy()
      return
    }
    if (found) socket.read(found.bytes)
    onHeader(found)
  })
}

const V1_START = Buffer.from('PROXY ', 'latin1')
/** The longest line that the specification allows, with its CRLF. */
const V1_BYTES_MAX = 107
const V2_START = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1')
const V2_HEAD_BYTES = 16

/**
 * Parses a PROXY protocol header, version 1 or 2: https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt
 * `foreign` means that the bytes start with no header, `malformed` that they start with a broken one.
 */
export function readProxyHeader(bytes: Buffer): Parsed<ProxyHeader | 'malformed'> {
  if (startsLike(bytes, V1_START))
    return bytes.length < V1_START.length ? more(bytes.length + 1) : readV1(bytes)
  if (startsLike(bytes, V2_START)) return bytes.length < V2_HEAD_BYTES ? more(V2_HEAD_BYTES) : readV2(bytes)
  return FOREIGN
}

/** Whether the bytes so far match the start of a header. */
const startsLike = (bytes: Buffer, start: Buffer): boolean => {
  const shared = Math.min(bytes.length, start.length)
  return bytes.subarray(0, shared).equals(start.subarray(0, shared))
}

const MALFORMED = done('malformed' as const)

function readV1(bytes: Buffer): Parsed<ProxyHeader | 'malformed'> {
  const end = bytes.subarray(0, V1_BYTES_MAX).indexOf('\r\n')
  if (end < 0) return bytes.length < V1_BYTES_MAX ? more(bytes.length + 1) : MALFORMED
  const fields = bytes.toString('latin1', V1_START.length, end).split(' ')
  const header = (source: Peer | undefined) => done({ source, bytes: end + 2 })
  if (fields[0] === 'UNKNOWN') return header(undefined)
  const [family, from = '', to = '', fromPort = '', toPort = ''] = fields
  const source = peer(from, fromPort, family)
  return fields.length === 5 && source && peer(to, toPort, family) ? header(source) : MALFORMED
}

function peer(text: string, portText: string, family: string | undefined): Peer | undefined {
  const address = parseAddress(text)
  // TCP6 lines may carry IPv4-mapped addresses, which `parseAddress` turns into IPv4: check the notation.
  if (!address || family !== (text.includes(':') ? 'TCP6' : 'TCP4')) return undefined
  if (!/^(0|[1-9]\d{0,4})$/.test(portText) || Number(portText) > 65_535) return undefined
  return { address: formatAddress(address), port: Number(portText) }
}

const COMMAND_LOCAL = 0x20
const COMMAND_PROXY = 0x21
const FAMILY_TCP4 = 0x11
const FAMILY_TCP6 = 0x21
/** Unspecified, UDP and Unix sockets: section 2.2 of the specification has receivers skip their addresses. */
const FAMILIES_SKIPPED = new Set([0x00, 0x12, 0x22, 0x31, 0x32])

function readV2(bytes: Buffer): Parsed<ProxyHeader | 'malformed'> {
  const length = V2_HEAD_BYTES + bytes.readUInt16BE(14)
  const command = bytes[12]
  if ((command !== COMMAND_LOCAL && command !== COMMAND_PROXY) || length > HEADER_BYTES_MAX) return MALFORMED
  if (bytes.length < length) return more(length)
  if (command === COMMAND_LOCAL) return done({ source: undefined, bytes: length })
  // TLVs may follow the addresses; none of them is used.
  const addresses = bytes.subarray(V2_HEAD_BYTES, length)
  if (bytes[13] === FAMILY_TCP4 && addresses.length >= 12)
    return done({ source: sourceIn(addresses, 4), bytes: length })
  if (bytes[13] === FAMILY_TCP6 && addresses.length >= 36)
    return done({ source: sourceIn(addresses, 16), bytes: length })
  return FAMILIES_SKIPPED.has(bytes[13] ?? -1) ? done({ source: undefined, bytes: length }) : MALFORMED
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
