import { createHash } from 'node:crypto'
import type { ClientHello } from './client-hello.ts'

/**
 * JA4 of a ClientHello over TCP, such as `t13d1517h2_8daaf6152771_cb7bf5808d99`: the TLS client fingerprint
 * of FoxIO, which alone of the JA4+ family is under the BSD 3-Clause licence. Written from its description,
 * https://github.com/FoxIO-LLC/ja4/blob/main/technical_details/JA4.md. Every list leaves GREASE values out,
 * the signature algorithms too, where current Chromium puts a random one.
 */
export function ja4(hello: ClientHello): string {
  const ciphers = hello.ciphers.filter(isNoGrease)
  const extensions = hello.extensions.filter(isNoGrease)
  const lists = [sortedHex(extensions.filter((type) => !SITE_EXTENSIONS.has(type)))]
  const algorithms = hello.signatureAlgorithms.filter(isNoGrease).map(hex)
  if (algorithms.length > 0) lists.push(algorithms.join(','))

  const head = [
    't',
    VERSION_CODES.get(offeredVersion(hello)) ?? '00',
    hello.namesServer ? 'd' : 'i',
    count(ciphers),
    count(extensions),
    protocolCode(hello.protocols[0]),
  ].join('')
  return `${head}_${shortHash(sortedHex(ciphers))}_${shortHash(lists.join('_'))}`
}

const VERSION_CODES = new Map([
  [0x0304, '13'],
  [0x0303, '12'],
  [0x0302, '11'],
  [0x0301, '10'],
  [0x0300, 's3'],
])

/** Server name and ALPN depend on the site that is visited, not on the client. */
const SITE_EXTENSIONS = new Set([0x0000, 0x0010])

/** GREASE values have two equal bytes that end in A: https://www.rfc-editor.org/rfc/rfc8701#section-2 */
export const isNoGrease = (value: number): boolean =>
  (value & 0x0f0f) !== 0x0a0a || value >> 8 !== (value & 0xff)

const offeredVersion = ({ legacyVersion, supportedVersions }: ClientHello): number => {
  const versions = supportedVersions.filter(isNoGrease)
  return versions.length === 0 ? legacyVersion : Math.max(...versions)
}

const hex = (value: number): string => value.toString(16).padStart(4, '0')

const sortedHex = (values: readonly number[]): string => values.map(hex).sort().join(',')

const count = (values: readonly number[]): string => String(Math.min(values.length, 99)).padStart(2, '0')

/** The first and last character; their first and last hex digits where one is no letter or digit. */
function protocolCode(protocol: Buffer | undefined): string {
  if (!protocol) return '00'
  const text = protocol.toString('latin1')
  const ends = `${text[0]}${text.at(-1)}`
  if (/^[0-9A-Za-z]{2}$/.test(ends)) return ends
  const digits = protocol.toString('hex')
  return `${digits[0]}${digits.at(-1)}`
}

const shortHash = (list: string): string =>
  list === '' ? '000000000000' : createHash('sha256').update(list).digest('hex').slice(0, 12)
