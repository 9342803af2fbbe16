import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { derivedKey } from '../auth/derived-key.ts'
import { limitKeys } from '../lib/address-limit.ts'
import { DAY_MS, HOUR_MS } from '../lib/durations.ts'
import { hash53 } from '../lib/hash53.ts'
import { uuidBytesOrNil, uuidToText } from '../lib/uuid.ts'
import type { NetworkEvidence } from '../visit/network-evidence.ts'
import type { TicketProof } from '../visit/proof.ts'
import type { RequestFacts } from '../visit/received.ts'
import { CURVES_AT, createTicketCurves } from './ticket-curves.ts'

/** What a ticket is bound to. */
export interface TicketHolder {
  requestId: string
  domainId: number
  /** Host of the page. */
  host: string
  address: string
  request: Pick<RequestFacts, 'userAgent'>
  network: Pick<NetworkEvidence, 'tls' | 'http2' | 'headers'>
}

export interface Tickets {
  /** A ticket as text of base64url. */
  issue(holder: TicketHolder): string
  /** What a ticket that arrived with a body says; undefined or empty: the body has none. */
  check(ticket: unknown, holder: TicketHolder): TicketProof
  /** Whether it is a valid ticket of this request ID and this network. */
  vouches(ticket: unknown, holder: Pick<TicketHolder, 'requestId' | 'address'>): boolean
}

/**
 * Long enough for a phone that sleeps between the ticket and the body. It need not be short: a ticket is for one request
 * ID, which is stored once.
 */
const AGE_MS_MAX = HOUR_MS
/** Tickets made with a key of that many days ago are still told from forged ones. */
const KEY_DAYS_KEPT = 2

const VERSION = 1
/** Length and place of each part. All of them make 72 bytes, which fill their 96 characters without a spare bit. */
const PARTS = {
  version: [0, 1],
  /** The day whose key made the MAC. */
  day: [1, 2],
  issuedMs: [3, 6],
  requestId: [9, 16],
  /** Random bytes, and between them the curves that the agent measures. */
  salt: [25, 9],
  domain: [34, 4],
  page: [38, 4],
  /** 4 or 6. */
  family: [42, 1],
  network: [43, 4],
  /** Of the client that asked for it: each is zero where it was not seen. */
  tls: [47, 3],
  http2: [50, 3],
  headers: [53, 3],
  mac: [56, 16],
} as const satisfies Record<string, readonly [start: number, bytes: number]>
const TEXT = /^[\w-]{96}$/
const TICKET_BYTES = 72

/**
 * Makes and checks tickets without any memory: what a ticket is bound to stands in it, as salted marks, and the server
 * signs it. All processes of an installation share the secret, and each day has a key of its own, derived from it.
 */
export function createTickets(secret: Uint8Array, now: () => number): Tickets {
  const keys = new Map<number, Uint8Array>()
  const curves = createTicketCurves(secret)

  function keyOf(day: number): Uint8Array {
    const known = keys.get(day)
    if (known) return known
    const [oldest = day] = keys.keys()
    if (keys.size > KEY_DAYS_KEPT + 1) keys.delete(oldest)
    const key = derivedKey(secret, `ticket ${day}`)
    keys.set(day, key)
    return key
  }

  /** The day that a ticket names by its last two bytes; undefined if its key is not used any more, or not yet. */
  function dayNamed(low: number): number | undefined {
    const today = dayOf(now())
    // Clocks of two nodes differ around midnight.
    for (let day = today + 1; day >= today - KEY_DAYS_KEPT; day -= 1) if ((day & 0xffff) === low) return day
    return undefined
  }

  const macOf = (ticket: Buffer, day: number): Buffer =>
    createHmac('sha256', keyOf(day))
      .update(ticket.subarray(0, PARTS.mac[0]))
      .digest()
      .subarray(0, PARTS.mac[1])

  /** The bytes of a genuine ticket, or why it is none. */
  function open(text: unknown): Buffer | 'unreadable' | 'unknown_key' | 'wrong_mac' {
    if (typeof text !== 'string' || !TEXT.test(text)) return 'unreadable'
    const ticket = Buffer.from(text, 'base64url')
    if (ticket[0] !== VERSION) return 'unreadable'
    const day = dayNamed(ticket.readUInt16BE(PARTS.day[0]))
    if (day === undefined) return 'unknown_key'
    return timingSafeEqual(macOf(ticket, day), part(ticket, 'mac')) ? ticket : 'wrong_mac'
  }

  const ageOf = (ticket: Buffer): number => Math.max(0, now() - ticket.readUIntBE(...PARTS.issuedMs))

  return {
    issue(holder) {
      const atMs = now()
      const day = dayOf(atMs)
      const ticket = Buffer.alloc(TICKET_BYTES)
      ticket[0] = VERSION
      ticket.writeUInt16BE(day & 0xffff, PARTS.day[0])
      ticket.writeUIntBE(atMs, ...PARTS.issuedMs)
      ticket.set(uuidBytesOrNil(holder.requestId), PARTS.requestId[0])
      ticket.set(randomBytes(PARTS.salt[1]), PARTS.salt[0])
      ticket.set(curves.pick(day), CURVES_AT)
      for (const [name, value] of marksOf(ticket, holder)) ticket.set(value, PARTS[name][0])
      ticket[PARTS.family[0]] = familyOf(holder.address)
      ticket.set(macOf(ticket, day), PARTS.mac[0])
      return ticket.toString('base64url')
    },

    check(text, holder) {
      if (text === undefined || text === '') return { state: 'missing' }
      const ticket = open(text)
      if (typeof ticket === 'string') return { state: 'forged', why: ticket }
      const marks = new Map(marksOf(ticket, holder))
      const has = (name: MarkName): boolean => part(ticket, name).equals(marks.get(name) ?? ticket)
      // First, because a domain must not learn of visits of another.
      if (!has('domain')) return { state: 'foreign', why: 'domain' }
      const firstRequestId = uuidToText(part(ticket, 'requestId'))
      if (firstRequestId !== holder.requestId) return { state: 'repeated', why: 'ticket', firstRequestId }
      if (!has('page')) return { state: 'foreign', why: 'page' }
      const ageMs = ageOf(ticket)
      return {
        state: ageMs > AGE_MS_MAX ? 'expired' : 'valid',
        ageMs,
        // A browser may use IPv4 and IPv6 in turn, which cannot be compared.
        addressChanged: ticket[PARTS.family[0]] === familyOf(holder.address) ? !has('network') : undefined,
        clientChanged: anyChanged(CLIENT_MARKS.map((name) => changed(part(ticket, name), marks.get(name)))),
      }
    },

    vouches(text, { requestId, address }) {
      const ticket = open(text)
      return (
        typeof ticket !== 'string' &&
        uuidToText(part(ticket, 'requestId')) === requestId &&
        part(ticket, 'network').equals(
          mark(part(ticket, 'salt').toString('hex'), 'network', visitorNetwork(address)),
        ) &&
        ageOf(ticket) <= AGE_MS_MAX
      )
    },
  }
}

const dayOf = (ms: number): number => Math.floor(ms / DAY_MS)

const part = (ticket: Buffer, name: keyof typeof PARTS): Buffer =>
  ticket.subarray(PARTS[name][0], PARTS[name][0] + PARTS[name][1])

const CLIENT_MARKS = ['tls', 'http2', 'headers'] as const
type MarkName = 'domain' | 'page' | 'network' | (typeof CLIENT_MARKS)[number]

function marksOf(ticket: Buffer, holder: TicketHolder): [MarkName, Buffer][] {
  const { network } = holder
  const values: [MarkName, string | undefined][] = [
    ['domain', String(holder.domainId)],
    ['page', holder.host],
    ['network', visitorNetwork(holder.address)],
    ['tls', network.tls.available ? ciphersOf(network.tls.value.ja4) : undefined],
    ['http2', network.http2.available ? network.http2.value.fingerprint : undefined],
    ['headers', network.headers.available ? headersOf(holder) : undefined],
  ]
  const salt = part(ticket, 'salt').toString('hex')
  return values.map(([name, value]) => [name, mark(salt, name, value)])
}

/**
 * Bits of a hash with the salt of the ticket, so that two tickets do not show that they are of one visitor. Whoever found
 * other values with the same bits would still need the MAC.
 */
function mark(salt: string, name: MarkName, value: string | undefined): Buffer {
  const bytes = Buffer.alloc(PARTS[name][1])
  if (value !== undefined)
    bytes.writeUIntBE(hash53(`${salt} ${name} ${value}`) % 256 ** bytes.length, 0, bytes.length)
  return bytes
}

/** The /24 of IPv4, the /64 of IPv6. */
export function visitorNetwork(address: string): string {
  const [line] = limitKeys(address)
  return line.includes(':') ? line : line.slice(0, line.lastIndexOf('.'))
}

const familyOf = (address: string): number => (limitKeys(address)[0].includes(':') ? 6 : 4)

/**
 * The parts of a JA4 that all connections of a browser share: TLS version and cipher suites. A resumed session has
 * other extensions, and a WebSocket another ALPN.
 */
const ciphersOf = (ja4: string): string => `${ja4.slice(0, 3)} ${ja4.split('_')[1]}`

/** What a browser sends with each request. */
function headersOf({ request, network: { headers } }: TicketHolder): string {
  const { clientHintBrands, clientHintPlatform } = headers.available
    ? headers.value
    : { clientHintBrands: '', clientHintPlatform: '' }
  return [request.userAgent, clientHintBrands, clientHintPlatform].join('\n')
}

/** Undefined where one of them was not seen. */
function changed(before: Buffer, now: Buffer | undefined): boolean | undefined {
  if (!now || [before, now].some((bytes) => bytes.every((byte) => byte === 0))) return undefined
  return !before.equals(now)
}

function anyChanged(changes: readonly (boolean | undefined)[]): boolean | undefined {
  if (changes.includes(true)) return true
  return changes.includes(false) ? false : undefined
}
