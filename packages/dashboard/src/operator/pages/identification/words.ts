import type { Explanation } from '@inkling/contract'

/** Evidence whose field name would not make a good label. */
const EVIDENCE_NAMES: Record<string, string> = {
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

/** A field name as a label: `utc_offset` becomes `Utc offset`. */
export function readableName(name: string): string {
  const known = EVIDENCE_NAMES[name]
  if (known !== undefined) return known
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
    .replace(/ ms$/, ', milliseconds')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Evidence on one line. */
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

type Decision = NonNullable<NonNullable<Explanation['identity']>['decision']>

const OUTCOMES: Record<string, string> = {
  cookie: 'The browser sent a cookie that was set on this device.',
  linked: 'The browser sent no known cookie, but its properties match this device.',
  new: 'It matches no known device, or too many to choose from: a new device.',
  separated:
    'Its cookie was first assigned to another device, then turned out to belong to a device of its own.',
  cookie_carried_over:
    'It sent a known cookie from different hardware: the cookie was copied to a new device.',
}

/** A later server may have outcomes that this page does not know. */
export const decisionText = ({ outcome }: Pick<Decision, 'outcome'>): string =>
  OUTCOMES[outcome] ?? `Decided by: ${readableName(outcome).toLowerCase()}.`

/** Never 100%: some doubt always remains. */
export const confidenceText = (confidence: number): string =>
  confidence > 0.999 ? 'over 99.9%' : `${(confidence * 100).toFixed(1)}%`

export function rarityText({ clones, devices }: Pick<Decision, 'clones' | 'devices'>): string {
  if (devices === 0) return 'no other known device has its system and browser'
  return `${clones === 0 ? 'none' : clones} of ${devices} known devices with its system and browser`
}

const COMPONENTS: Record<string, string> = {
  machine: 'Processor and touch',
  model: 'Model and memory',
  gpu: 'Graphics card',
  limits: 'Graphics limits',
  raster: 'Drawings',
  waveform: 'Audio rendering',
  rounding: 'Maths library',
  typefaces: 'Fonts',
  settings: 'System settings',
  timezone: 'Time zone',
  address: 'IP address',
  prefix: 'Network of the address',
}

export const componentName = (name: string): string => COMPONENTS[name] ?? readableName(name)
