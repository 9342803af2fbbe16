import { randomFillSync } from 'node:crypto'
import { SIGNAL_CATALOGUE, type SignalName } from '@inkling/contract'
import { flagBit } from '../../../packages/server/src/lib/flag-bits.ts'
import { type Cell, fillIdentifications } from '../lib/fill-identifications.ts'
import { seededRandom } from '../lib/seeded-random.ts'

const DAYS = 90
const DAY_MS = 86_400_000
/** Average number of visits per device. */
const VISITS_PER_DEVICE = 4
/** Age of the newest row: too old to be refined. */
const NEWEST_AGO_MS = 10 * 60_000
const random = seededRandom(7)

/**
 * The indexes that counting and the overview use; creating the others would take longer than everything
 * else.
 */
const INDEXES_USED = ['identifications_time', 'identifications_device_id', 'identifications_visitor_id']

/**
 * Writes rows of 90 days directly into the database, with realistic variety where it matters for counting:
 * returning devices, 100 countries, 300 referrers, 400 campaigns, hits of each signal.
 */
export function fillOverview(dataDir: string, domainId: number, rows: number): void {
  const spanMs = DAYS * DAY_MS
  fillIdentifications(dataDir, {
    rows,
    columns: COLUMNS,
    firstMs: Date.now() - NEWEST_AGO_MS - spanMs,
    spanMs,
    row: (_, atMs) => row(domainId, atMs, rows),
    indexes: INDEXES_USED,
  })
}

const COLUMNS = [
  'domain_id',
  'request_id',
  'session_id',
  'cookie_id',
  'device_id',
  'visitor_id',
  'user_hid',
  'created_at',
  'ver',
  'host',
  'ip',
  'os',
  'browser',
  'device_type',
  'country',
  'connection_type',
  'score',
  'flags',
  'verdict',
  'entry_url',
  'utm_campaign',
  'traffic_channel',
  'referrer_domain',
]

const SIGNALS = Object.keys(SIGNAL_CATALOGUE) as SignalName[]

/** A few signals are common and most are rare, as in real traffic. */
function verdictOf(): { score: number; flags: number; verdict: string } {
  const hits = SIGNALS.filter((_, index) => random() < 0.12 / (1 + index))
  const entries = hits.map((name) => {
    const { weight } = SIGNAL_CATALOGUE[name]
    return {
      name,
      description: name,
      weight,
      value: weight,
      evidence: { asn: 24_940, organization: 'Hetzner Online GmbH' },
    }
  })
  const sum = entries.reduce((total, { value }) => total + value, 0)
  const flags = hits.reduce((bits, name) => {
    const entry = SIGNAL_CATALOGUE[name]
    return 'flag' in entry ? bits | flagBit(entry.flag) : bits
  }, 0)
  const clear = SIGNALS.filter((name) => !hits.includes(name))
  return {
    score: Math.min(100, Math.max(0, sum)),
    flags,
    verdict: JSON.stringify({
      entries,
      clear,
      unknown: [],
      components: ['webgl', 'raster', 'waveform', 'typefaces'],
    }),
  }
}

function row(domainId: number, atMs: number, rows: number): Cell[] {
  const device = bytesOf(oneOf(Math.ceil(rows / VISITS_PER_DEVICE), 1))
  const { score, flags, verdict } = verdictOf()
  return [
    domainId,
    randomBytes(),
    randomBytes(),
    device,
    device,
    device,
    `account-${oneOf(rows / 5, 1)}`,
    atMs,
    atMs,
    'bench.example',
    oneOf(2 ** 32, 1),
    pick(['Windows', 'macOS', 'Linux', 'Android', 'iOS']),
    pick(['Chrome', 'Safari', 'Firefox', 'Edge', 'Opera', 'Samsung Internet']),
    pick(['desktop', 'mobile', 'tablet']),
    `Country ${oneOf(100, 3)}`,
    pick(['direct', 'mobile', 'vpn', 'proxy', 'tor', 'privacy_relay']),
    score,
    flags,
    verdict,
    'https://bench.example/pricing',
    random() < 0.3 ? `campaign-${oneOf(400, 2)}` : null,
    pick(['Direct', 'Organic Search', 'Paid Search', 'Social', 'Email', 'Referral', 'Other']),
    random() < 0.5 ? `site-${oneOf(300, 2)}.example` : null,
  ]
}

/** A random integer below `count`; a higher power favours small numbers. */
const oneOf = (count: number, power: number): number => Math.floor(random() ** power * count)
const pick = (values: readonly string[]): string => values[oneOf(values.length, 2)] ?? ''
const randomBytes = (): Uint8Array => randomFillSync(new Uint8Array(16))

/** Scattered, so that index writes hit random pages. */
function bytesOf(number: number): Uint8Array {
  const bytes = Buffer.alloc(16, 0x5a)
  bytes.writeUInt32BE(Math.imul(number + 1, 0x9e3779b1) >>> 0, 0)
  bytes.writeUInt32BE(number, 4)
  return bytes
}
