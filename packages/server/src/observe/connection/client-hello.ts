import { done, FOREIGN, more, type Parsed } from './peek.ts'

/**
 * What a TLS ClientHello offers, in the order of the message and with its GREASE values. The message is
 * defined in RFC 8446, section 4.1.2: https://www.rfc-editor.org/rfc/rfc8446#section-4.1.2
 */
export interface ClientHello {
  legacyVersion: number
  ciphers: number[]
  /** Types of the extensions. */
  extensions: number[]
  namesServer: boolean
  /** The protocols in ALPN; empty when the client offers none. */
  protocols: Buffer[]
  /** Groups for the key exchange. */
  groups: number[]
  supportedVersions: number[]
  signatureAlgorithms: number[]
}

/** The first byte of every TLS connection. */
export const RECORD_HANDSHAKE = 22
const RECORD_HEADER_BYTES = 5
/** The longest plaintext record, 2^14 bytes: https://www.rfc-editor.org/rfc/rfc8446#section-5.1 */
const RECORD_BYTES_MAX = 16_384
/** Clients send one; a few split the hello to get past filters. Each record costs another pass over the bytes. */
const RECORDS_MAX = 16
const MESSAGE_CLIENT_HELLO = 1
const MESSAGE_HEADER_BYTES = 4

/** Parses the first handshake message of a TLS connection, which may span several records. */
export function readClientHello(bytes: Buffer): Parsed<ClientHello> {
  const parts: Buffer[] = []
  let held = 0
  let offset = 0
  while (parts.length < RECORDS_MAX) {
    if (bytes.length > offset && bytes[offset] !== RECORD_HANDSHAKE) return FOREIGN
    const start = offset + RECORD_HEADER_BYTES
    if (bytes.length < start) return more(start)
    const length = bytes.readUInt16BE(offset + 3)
    if (bytes[offset + 1] !== 3 || length === 0 || length > RECORD_BYTES_MAX) return FOREIGN
    if (bytes.length < start + length) return more(start + length)
    parts.push(bytes.subarray(start, start + length))
    held += length
    offset = start + length
    if (held < MESSAGE_HEADER_BYTES) continue
    const message = Buffer.concat(parts)
    if (message[0] !== MESSAGE_CLIENT_HELLO) return FOREIGN
    const end = MESSAGE_HEADER_BYTES + message.readUIntBE(1, 3)
    if (held < end) continue
    const hello = parseBody(message.subarray(MESSAGE_HEADER_BYTES, end))
    return hello ? done(hello) : FOREIGN
  }
  return FOREIGN
}

const EXTENSION_SERVER_NAME = 0
const EXTENSION_GROUPS = 10
const EXTENSION_SIGNATURE_ALGORITHMS = 13
const EXTENSION_ALPN = 16
const EXTENSION_SUPPORTED_VERSIONS = 43

const VERSION_AND_RANDOM_BYTES = 34

function parseBody(body: Buffer): ClientHello | undefined {
  const [session, afterSession] = vector(body, VERSION_AND_RANDOM_BYTES, 1)
  const [cipherList, afterCiphers] = vector(body, afterSession, 2)
  const [compression, afterCompression] = vector(body, afterCiphers, 1)
  if (!session || !cipherList || !compression) return undefined
  const hello: ClientHello = {
    legacyVersion: body.readUInt16BE(0),
    ciphers: numbers(cipherList),
    extensions: [],
    namesServer: false,
    protocols: [],
    groups: [],
    supportedVersions: [],
    signatureAlgorithms: [],
  }
  // Before TLS 1.3 a hello may end here.
  if (afterCompression === body.length) return hello
  const [list, end] = vector(body, afterCompression, 2)
  return list && end === body.length && addExtensions(hello, list) ? hello : undefined
}

function addExtensions(hello: ClientHello, list: Buffer): boolean {
  let offset = 0
  while (offset < list.length) {
    const [content, next] = vector(list, offset + 2, 2)
    if (!content) return false
    const type = list.readUInt16BE(offset)
    hello.extensions.push(type)
    if (type === EXTENSION_SERVER_NAME) hello.namesServer = content.length > 0
    else if (type === EXTENSION_ALPN) hello.protocols = protocolsIn(vector(content, 0, 2)[0])
    else if (type === EXTENSION_GROUPS) hello.groups = numbers(vector(content, 0, 2)[0])
    else if (type === EXTENSION_SUPPORTED_VERSIONS)
      hello.supportedVersions = numbers(vector(content, 0, 1)[0])
    else if (type === EXTENSION_SIGNATURE_ALGORITHMS)
      hello.signatureAlgorithms = numbers(vector(content, 0, 2)[0])
    offset = next
  }
  return true
}

/** A length-prefixed field at `offset` and the offset after it; the field is undefined if it is cut off. */
function vector(bytes: Buffer, offset: number, lengthBytes: 1 | 2): [Buffer | undefined, number] {
  const start = offset + lengthBytes
  if (start > bytes.length) return [undefined, bytes.length + 1]
  const end = start + bytes.readUIntBE(offset, lengthBytes)
  return end > bytes.length ? [undefined, bytes.length + 1] : [bytes.subarray(start, end), end]
}

const numbers = (bytes: Buffer | undefined): number[] =>
  Array.from({ length: (bytes?.length ?? 0) >> 1 }, (_, index) => bytes?.readUInt16BE(index * 2) ?? 0)

/** Clients offer two. */
const PROTOCOLS_MAX = 8

/** Copies, because the hello outlives the packet that it arrived in. */
function protocolsIn(list: Buffer | undefined): Buffer[] {
  const protocols: Buffer[] = []
  let offset = 0
  while (list && offset < list.length && protocols.length < PROTOCOLS_MAX) {
    const [protocol, next] = vector(list, offset, 1)
    if (!protocol || protocol.length === 0) break
    protocols.push(Buffer.from(protocol))
    offset = next
  }
  return protocols
}
