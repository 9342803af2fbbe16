import { type Cell, fillIdentifications } from '../lib/fill-identifications.ts'
import { seededRandom } from '../lib/seeded-random.ts'
import { TYPICAL_VERDICT } from '../lib/typical-verdict.ts'

const DAYS = 30
const DAY_MS = 86_400_000
const VISITS_PER_PERSON = 8
/** Carrier addresses, each shared by thousands of people. */
const CARRIERS = 200
/** Visits per farm. One in a thousand visits belongs to a farm. */
const FARM_VISITS = 20
const random = seededRandom(7)

/**
 * Writes a month of visits directly into the database. People return about eight times, on two devices;
 * half of them sign in; a third use a carrier's address; most have a network check. One visit in a
 * thousand belongs to a farm of twenty accounts on one device.
 */
export function fillPatterns(dataDir: string, domainId: number, rows: number): void {
  const spanMs = DAYS * DAY_MS
  fillIdentifications(dataDir, {
    rows,
    columns: COLUMNS,
    firstMs: Date.now() - spanMs,
    spanMs,
    row: (number, atMs) => row(domainId, number, atMs, rows),
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
  'web_rtc_ip',
  'webrtc_leak_ip',
]

function row(domainId: number, number: number, atMs: number, rows: number): Cell[] {
  const isFarm = number % 1_000 === 0
  const person = isFarm ? -1 - Math.floor(number / 1_000 / FARM_VISITS) : oneOf(rows / VISITS_PER_PERSON)
  const device = bytesOf(isFarm ? person : person * 2 + oneOf(2), 0x5a)
  const ip = random() < 0.33 ? person % CARRIERS : hash(person)
  const leaks = random() < 0.02
  const account = isFarm ? `farm-${number}` : person % 2 === 0 ? `account-${person}` : 'anonymous'
  return [
    domainId,
    bytesOf(number, 0x01),
    bytesOf(number, 0x02),
    device,
    device,
    device,
    account,
    atMs,
    atMs,
    'bench.example',
    leaks ? hash(number) : PUBLIC + Math.abs(ip % 100_000_000),
    'Windows',
    'Chrome',
    'desktop',
    'Germany',
    leaks ? 'proxy' : 'direct',
    leaks ? 20 : isFarm ? 40 : 0,
    0,
    TYPICAL_VERDICT,
    random() < 0.8 ? PUBLIC + Math.abs(ip % 100_000_000) : null,
    leaks ? PUBLIC + Math.abs(ip % 100_000_000) : null,
  ]
}

/** 20.0.0.0, followed by a hundred million public addresses. */
const PUBLIC = 20 * 2 ** 24
const oneOf = (count: number): number => Math.floor(random() * count)
const hash = (number: number): number => Math.imul(number + 1, 0x9e3779b1) >>> 0

/** Scattered, so that index writes hit random pages. */
function bytesOf(number: number, kind: number): Uint8Array {
  const bytes = Buffer.alloc(16, kind)
  bytes.writeUInt32BE(hash(number), 0)
  bytes.writeInt32BE(number, 4)
  return bytes
}
