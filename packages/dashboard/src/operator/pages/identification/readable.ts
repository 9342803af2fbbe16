/** Names of evidence whose words would not tell enough. */
const NAMES: Record<string, string> = {
  syn: 'First packet',
  tcpRoundTrip: 'TCP round trip',
  tls: 'TLS hello',
  http2: 'HTTP/2 settings',
  turn: 'Network check',
  roundTrip: 'Follow-up round trips',
  report: 'Browser’s own report',
  ttl: 'TTL',
  mss: 'MSS',
  ip: 'IP',
  ja4: 'JA4',
  alpn: 'ALPN',
  asn: 'ASN',
}

/** `minMs` and `utc_offset` as words. */
export function readableName(name: string): string {
  const known = NAMES[name]
  if (known !== undefined) return known
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
    .replace(/ ms$/, ', milliseconds')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Evidence in one line. */
export function readable(value: unknown): string {
  if (value === null || value === undefined) return 'unknown'
  if (value === '') return 'empty'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : value.toFixed(2)
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(readable).join(', ')
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([name, part]) => `${readableName(name)}: ${readable(part)}`)
      .join('; ')
  return String(value)
}
