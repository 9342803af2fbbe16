import type { Observation, SynFacts } from '../visit/network-evidence.ts'

export type OsFamily = 'Windows' | 'Linux' | 'Apple'

/** What the SYN says of the visitor's system and network path. Unknown facts are undefined. */
export interface NetworkStack {
  /** The system whose TCP stack sent the packet, recognised by the order of options and the initial TTL. */
  os: OsFamily | undefined
  /** Whether the packet combines properties of two systems, such as Linux' order of options and a TTL of 128. */
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
  // The packet came from this machine, probably from an undeclared proxy.
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
 * Orders of options that only one family sends: 2 is the MSS, 4 SACK, 8 timestamps, 3 the window scale, 1 and 0
 * padding. Linux, Android and ChromeOS put the scale last and omit options that are switched off (measured on Linux
 * 6.18; `tcp_options_write` in https://github.com/torvalds/linux/blob/master/net/ipv4/tcp_output.c). Windows since
 * Vista and Apple's systems put the scale second; not measured here, but in p0f's signatures:
 * https://github.com/p0f/p0f/blob/master/p0f.fp
 */
const ORDERS: readonly [order: string, family: OsFamily][] = [
  ['2-4-8-1-3', 'Linux'],
  ['2-1-1-4-1-3', 'Linux'],
  ['2-1-1-8-1-3', 'Linux'],
  ['2-4-8', 'Linux'],
  ['2-1-3-1-1-4', 'Windows'],
  ['2-1-3-1-1-8-4', 'Apple'],
]

/**
 * Options that may follow: padding, multipath TCP (30), Fast Open (34, formerly 254).
 * https://www.iana.org/assignments/tcp-parameters
 */
const TAIL = /^(?:-(?:0|1|30|34|254))*$/

const familyOfOrder = (options: string): OsFamily | undefined =>
  ORDERS.find(([order]) => options.startsWith(order) && TAIL.test(options.slice(order.length)))?.[1]

/** Windows with timestamps has the same order as FreeBSD; only the TTL differs. */
const familyOfOrderAndTtl = (options: string, ttl: number): OsFamily | undefined =>
  options === '2-1-3-4-8' && startedAt128(ttl) ? 'Windows' : undefined

/**
 * Whether the initial TTL was 128, as in Windows; it is 64 in Linux and Apple's systems. Internet paths have fewer than
 * 32 hops. Values just above 64 do not count: some people set 65 to hide tethering from their mobile carrier.
 *
 * A Windows order with a small TTL is still Windows, because routers and modems that set all TTLs to 64 are common. A
 * router that set all TTLs to 128 would make Linux look forged; none is known to do so by default.
 */
const startedAt128 = (ttl: number): boolean => ttl > 96 && ttl <= 128

const headerBytes = ({ ipVersion }: SynFacts): number => (ipVersion === 4 ? 40 : 60)

/**
 * MTUs that identify a kind of link. 1492 is PPPoE (RFC 2516), 1454 what the Japanese access network FLET'S
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

/** Linux' loopback interface: 65535 over IPv4, 65536 over IPv6. */
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

/** MTUs of interfaces whose MSS routers on the path may lower. */
const INTERFACE_MTUS = [1500, 1492]

/**
 * Linux opens with a window of as many whole segments as fit, counted with the MSS of its own interface.
 * When the window counts a larger one, a router or carrier lowered the MSS in the packet, which is
 * everyday; a VPN on the machine itself has an interface of its own, and its window agrees. Android's
 * fixed window of 65535 says nothing.
 */
const isClamped = (syn: SynFacts, mss: number): boolean =>
  syn.window > 0 &&
  syn.window % mss !== 0 &&
  INTERFACE_MTUS.map((mtu) => mtu - headerBytes(syn)).some((own) => own > mss && syn.window % own === 0)
