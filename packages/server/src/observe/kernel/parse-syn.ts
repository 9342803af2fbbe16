import type { SynFacts } from '../../visit/network-evidence.ts'

const TCP = 6
const SYN_FLAG = 0x02
const TCP_HEADER_BYTES = 20

const END_OF_OPTIONS = 0
const PADDING = 1
const MAXIMUM_SEGMENT_SIZE = 2
const WINDOW_SCALE = 3

/**
 * Parses the IP and TCP headers of a SYN, as TCP_SAVED_SYN returns them; undefined for anything else. A dual-stack
 * listener returns IPv4 headers for IPv4 visitors. The fields are those that p0f showed to identify TCP stacks:
 * https://lcamtuf.coredump.cx/p0f3/README
 */
export function parseSyn(bytes: Uint8Array): SynFacts | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const ip = ipHeader(view)
  if (!ip || ip.tcpOffset + TCP_HEADER_BYTES > view.byteLength) return undefined
  const tcpBytes = (view.getUint8(ip.tcpOffset + 12) >> 4) * 4
  const end = ip.tcpOffset + tcpBytes
  if (tcpBytes < TCP_HEADER_BYTES || end > view.byteLength) return undefined
  if ((view.getUint8(ip.tcpOffset + 13) & SYN_FLAG) === 0) return undefined
  return {
    raw: Buffer.from(bytes.buffer, bytes.byteOffset, end).toString('hex'),
    ipVersion: ip.version,
    ttl: ip.ttl,
    window: view.getUint16(ip.tcpOffset + 14),
    ...tcpOptions(view, ip.tcpOffset + TCP_HEADER_BYTES, end),
  }
}

interface IpHeader {
  version: 4 | 6
  ttl: number
  tcpOffset: number
}

function ipHeader(view: DataView): IpHeader | undefined {
  if (view.byteLength < 20) return undefined
  const version = view.getUint8(0) >> 4
  if (version === 4) {
    const tcpOffset = (view.getUint8(0) & 15) * 4
    if (tcpOffset < 20 || view.getUint8(9) !== TCP) return undefined
    return { version, ttl: view.getUint8(8), tcpOffset }
  }
  if (version !== 6 || view.byteLength < 40) return undefined
  const tcpOffset = afterExtensions(view)
  return tcpOffset === undefined ? undefined : { version, ttl: view.getUint8(7), tcpOffset }
}

function afterExtensions(view: DataView): number | undefined {
  let kind = view.getUint8(6)
  let offset = 40
  while (kind !== TCP) {
    if (offset + 8 > view.byteLength) return undefined
    const bytes = extensionBytes(kind, view.getUint8(offset + 1))
    if (bytes === undefined) return undefined
    kind = view.getUint8(offset)
    offset += bytes
  }
  return offset
}

/**
 * Hop-by-hop, routing, destination, mobility, HIP and Shim6 share one format:
 * https://www.rfc-editor.org/rfc/rfc6564#section-4
 */
const EXTENSIONS = new Set([0, 43, 60, 135, 139, 140])
const FRAGMENT = 44
const AUTHENTICATION = 51

function extensionBytes(kind: number, length: number): number | undefined {
  if (EXTENSIONS.has(kind)) return (length + 1) * 8
  if (kind === AUTHENTICATION) return (length + 2) * 4
  return kind === FRAGMENT ? 8 : undefined
}

type TcpOptions = Pick<SynFacts, 'options' | 'mss' | 'windowScale'>

/** Stops at the first option that is truncated or has an impossible length, as kernels do. */
function tcpOptions(view: DataView, start: number, end: number): TcpOptions {
  const kinds: number[] = []
  let mss: number | undefined
  let windowScale: number | undefined
  let offset = start
  while (offset < end) {
    const kind = view.getUint8(offset)
    const bytes = optionBytes(view, offset, end)
    if (bytes === undefined) break
    kinds.push(kind)
    if (kind === END_OF_OPTIONS) break
    if (kind === MAXIMUM_SEGMENT_SIZE && bytes === 4) mss = view.getUint16(offset + 2)
    if (kind === WINDOW_SCALE && bytes === 3) windowScale = view.getUint8(offset + 2)
    offset += bytes
  }
  return { options: kinds.join('-'), mss, windowScale }
}

function optionBytes(view: DataView, offset: number, end: number): number | undefined {
  const kind = view.getUint8(offset)
  if (kind === END_OF_OPTIONS || kind === PADDING) return 1
  const bytes = offset + 1 < end ? view.getUint8(offset + 1) : 0
  return bytes >= 2 && offset + bytes <= end ? bytes : undefined
}
