import type { Observation, SynFacts } from '../visit/network-evidence.ts'

export type OsFamily = 'Windows' | 'Linux' | 'Apple'

/** What the first packet says of the machine and the path it came over. Unknown is undefined. */
export interface NetworkStack {
  /** Family of the system whose TCP stack wrote the packet, told by option order and initial TTL. */
  os: OsFamily | undefined
  /** Set when the packet mixes traits of two systems, such as a Linux option order with TTL 128. */
  forged: boolean
  mss: number | undefined
  /** MSS plus the headers of its IP version. */
  mtu: number | undefined
  /** `direct`, `pppoe`, `ds_lite`, `ipv6_tunnel`, `vpn_likely`, `clamped`, `jumbo`, `local`; empty when unknown. An open set. */
  mtuHint: string
}

export function networkStack(syn: Observation<SynFacts>): NetworkStack {
  if (!syn.available) return { os: undefined, forged: false, mss: undefined, mtu: undefined, mtuHint: '' }
  const { options, ttl, mss } = syn.value
  const family = familyOfOrder(options)
  const hint = mtuHint(syn.value, family)
  // The server's own system wrote that packet, for a program beside it: often a proxy nobody declared.
  const own = hint === 'local'
  return {
    os: own ? undefined : (family ?? familyOfOrderAndTtl(options, ttl)),
    forged: !own && (family === 'Linux' || family === 'Apple') && startedAt128(ttl),
    mss,
    mtu: mss === undefined ? undefined : mss + headerBytes(syn.value),
    mtuHint: hint,
  }
}

/**
 * Orders that one family alone writes. 2 is the MSS, 4 SACK, 8 timestamps, 3 the window scale, 1 and 0
 * padding. Linux, Android and ChromeOS put the scale last and write fewer options where some are switched
 * off (measured on Linux 6.18; see `tcp_options_write` in its source). Windows since Vista and Apple's
 * systems put the scale second; their orders are published values, not measured here.
 */
const ORDERS: readonly [order: string, family: OsFamily][] = [
  ['2-4-8-1-3', 'Linux'],
  ['2-1-1-4-1-3', 'Linux'],
  ['2-1-1-8-1-3', 'Linux'],
  ['2-4-8', 'Linux'],
  ['2-1-3-1-1-4', 'Windows'],
  ['2-1-3-1-1-8-4', 'Apple'],
]

/** What may follow a system's own options: padding, multipath TCP (30), Fast Open (34, formerly 254). */
const TAIL = /^(?:-(?:0|1|30|34|254))*$/

const familyOfOrder = (options: string): OsFamily | undefined =>
  ORDERS.find(([order]) => options.startsWith(order) && TAIL.test(options.slice(order.length)))?.[1]

/** Windows with timestamps switched on writes what FreeBSD writes; only the TTL tells them apart. */
const familyOfOrderAndTtl = (options: string, ttl: number): OsFamily | undefined =>
  options === '2-1-3-4-8' && startedAt128(ttl) ? 'Windows' : undefined

/**
 * Whether the TTL began at 128, Windows' initial value; Linux and Apple begin at 64. Internet paths stay
 * under 32 hops. The values just over 64 are left out: a Linux or Mac set to 65, which hides from a mobile
 * carrier that a phone shares its connection, is no other system.
 *
 * The other direction proves nothing: routers and modems that set every TTL to 64 for the same reason are
 * common, so a Windows order with a small TTL is Windows. A router that sets every TTL to 128 makes an
 * honest Linux look forged; none is known to do so by default.
 */
const startedAt128 = (ttl: number): boolean => ttl > 96 && ttl <= 128

const headerBytes = ({ ipVersion }: SynFacts): number => (ipVersion === 4 ? 40 : 60)

/**
 * MTUs that tell the kind of link. 1492 is PPPoE (RFC 2516), 1454 what the Japanese access network FLET'S
 * prescribes for it. 1460 is 1500 less an IPv6 header: DS-Lite (RFC 6333), MAP-E (RFC 7597), and also
 * Google Cloud's machines. 1480 and 1472 are IPv6 in IPv4 (RFC 4213) on Ethernet and on PPPoE. 1420 is
 * wg-quick's default, 1412 the same on PPPoE, 1280 what Tailscale, WARP and WireGuard apps on phones
 * take; over IPv6 it is the least allowed, to which careful routers clamp.
 *
 * Other sizes have no name, because everyday links share them with tunnels: 1400 is L2TP, AnyConnect and
 * many mobile carriers, and 3GPP TS 23.501 annex J arrives at 1358.
 */
const HINTS: Readonly<Record<4 | 6, Readonly<Record<number, string>>>> = {
  4: {
    1500: 'direct',
    1492: 'pppoe',
    1454: 'pppoe',
    1460: 'ds_lite',
    1420: 'vpn_likely',
    1412: 'vpn_likely',
    1280: 'vpn_likely',
  },
  6: {
    1500: 'direct',
    1492: 'pppoe',
    1454: 'pppoe',
    1480: 'ipv6_tunnel',
    1472: 'ipv6_tunnel',
    1420: 'vpn_likely',
    1412: 'vpn_likely',
  },
}

/** Of Linux' loopback interface: IPv4 gives 65535 and IPv6 65536. */
const LOOPBACK_MTU_MIN = 65_535

function mtuHint(syn: SynFacts, family: OsFamily | undefined): string {
  if (!syn.mss) return ''
  const mtu = syn.mss + headerBytes(syn)
  if (mtu >= LOOPBACK_MTU_MIN) return 'local'
  if (mtu > 1500) return 'jumbo'
  const named = HINTS[syn.ipVersion][mtu] ?? ''
  if (named !== '' && named !== 'vpn_likely') return named
  return family === 'Linux' && isClamped(syn, syn.mss) ? 'clamped' : named
}

/** What interfaces have of themselves, from which a router on the way then lowers the MSS. */
const INTERFACE_MTUS = [1500, 1492]

/**
 * Linux opens with a window of as many whole segments as fit, counted with the MSS of its own interface.
 * When the window counts a larger one, a router or carrier lowered the MSS in the packet, which is
 * everyday; a VPN on the machine itself has an interface of its own, and its window agrees. Android's
 * fixed window of 65535 tells nothing.
 */
const isClamped = (syn: SynFacts, mss: number): boolean =>
  syn.window > 0 &&
  syn.window % mss !== 0 &&
  INTERFACE_MTUS.map((mtu) => mtu - headerBytes(syn)).some((own) => own > mss && syn.window % own === 0)
