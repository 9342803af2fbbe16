import { HOUR_MS } from '../lib/durations.ts'
import type { Components } from './components.ts'
import type { LinkWeights } from './weights.ts'

/** How a domain's visits arrive, and how those without a known cookie divide, as far as the linker could tell. */
export interface Arrivals {
  /** Visits with a known cookie, and without one. */
  known: number
  unknown: number
  /** Those of known devices, and those of new ones. */
  returning: number
  fresh: number
  /** The present hour of networks and looks, the latest last. */
  hours: Map<number, Hour>
}

/** What one network or one look did in an hour. */
interface Hour {
  startMs: number
  visits: number
  /** Networks that they came from. */
  networks: Set<number>
}

/** About so many of the latest visits count, and so many of those without a known cookie. */
const MEMORY_VISITS = 3_000
const MEMORY_ARRIVALS = 300
/** So many visits of one network or one look count in an hour: a flood from one place teaches nothing. */
const COUNTED_MAX = 30
/** One look from so many networks in an hour is being copied, or very common. */
const SURGE_NETWORKS = 8
const HOURS_MAX = 5_000

/**
 * Browsers that lose their cookies alike. Safari deletes them within days, so that most of its visits without one are
 * of devices that were there before.
 */
export const lossKind = ({ family }: Components): string =>
  family.startsWith('IOS') || family.endsWith('Safari')
    ? 'Safari'
    : family.startsWith('Android')
      ? 'Android'
      : 'desktop'

/** Before a domain has traffic of its own, half of the visits without a known cookie are of new devices. */
export const firstArrivals = (): Arrivals => ({
  known: 100,
  unknown: 24,
  returning: 18,
  fresh: 18,
  hours: new Map(),
})

/** A visit without a known cookie, by hashes of its network and of its look. */
interface Arrival {
  atMs: number
  network: number | undefined
  /** In its place where the address says nothing of the visitor, as that of a VPN: one exit can still flood. */
  exit: number | undefined
  look: number | undefined
}

/** Notes a visit and returns whether it may teach how visits divide. */
export function noteArrival(arrivals: Arrivals, { atMs, network, exit, look }: Arrival): boolean {
  const [ofNetwork, ofLook] = [network ?? exit, look].map((key) =>
    key === undefined ? undefined : hourOf(arrivals, key, atMs),
  )
  if (network !== undefined && ofLook && ofLook.networks.size <= SURGE_NETWORKS) ofLook.networks.add(network)
  const isFlood = [ofNetwork, ofLook].some((hour) => hour !== undefined && ++hour.visits > COUNTED_MAX)
  return !isFlood && (ofLook?.networks.size ?? 0) <= SURGE_NETWORKS
}

/** @param returning probability that the visit was of a known device */
export function learnArrival(arrivals: Arrivals, returning: number): void {
  const keep = 1 - 1 / MEMORY_ARRIVALS
  arrivals.unknown += 1
  arrivals.returning = arrivals.returning * keep + returning
  arrivals.fresh = arrivals.fresh * keep + 1 - returning
}

function hourOf({ hours }: Arrivals, key: number, atMs: number): Hour {
  const known = hours.get(key)
  const isCurrent = known !== undefined && Math.abs(atMs - known.startMs) < HOUR_MS
  const hour = isCurrent ? known : { startMs: atMs, visits: 0, networks: new Set<number>() }
  hours.delete(key)
  hours.set(key, hour)
  if (hours.size > HOURS_MAX) hours.delete(hours.keys().next().value ?? key)
  return hour
}

/** Whether a look came from many networks within the hour. */
export const isSurging = ({ hours }: Arrivals, look: number | undefined, atMs: number): boolean => {
  const hour = look === undefined ? undefined : hours.get(look)
  return hour !== undefined && Math.abs(atMs - hour.startMs) < HOUR_MS && hour.networks.size > SURGE_NETWORKS
}

/** Counts a visit with a known cookie. */
export function countKnown(arrivals: Arrivals): void {
  const keep = 1 - 1 / MEMORY_VISITS
  arrivals.known = arrivals.known * keep + 1
  arrivals.unknown *= keep
}

/**
 * New devices for each returning one among the visits without a known cookie. What the linker found is not all to go
 * by, because it confirms itself: where the visits without a cookie are more than can have lost it, some are new.
 */
export function newForKnown({ known, unknown, returning, fresh }: Arrivals, weights: LinkWeights): number {
  const unexplained = unknown / Math.max(known * weights.lostShare, 0.1) - 1
  const found = fresh / Math.max(returning, 0.1)
  return Math.min(weights.newForKnownMax, Math.max(weights.newForKnownMin, found, unexplained))
}
