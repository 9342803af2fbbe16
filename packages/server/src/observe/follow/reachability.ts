import { parseAddress } from '../../lib/address.ts'
import { isLoopback, isPublicAddress } from '../../lib/address-scope.ts'

export interface Reachability {
  /** Notes that a packet of a network check came from this address. */
  add(address: string): void
  /** Whether packets from addresses of this kind have arrived before. */
  isProven(address: string): boolean
}

/**
 * Whether the responder's port can be reached at all. If no check ever succeeded, the operator's firewall
 * probably blocks the port, and a missing packet says nothing about the visitor. Public and private addresses take
 * different routes, and firewalls have rules of their own for IPv4 and IPv6, so each needs its own proof. Loopback is never proven: Firefox leaves it out of its checks.
 */
export function createReachability(): Reachability {
  const passed = new Set<string>()
  return {
    add(address) {
      const route = routeOf(address)
      if (route !== undefined) passed.add(route)
    },
    isProven(address) {
      const route = routeOf(address)
      return route !== undefined && passed.has(route)
    },
  }
}

function routeOf(address: string): string | undefined {
  const parsed = parseAddress(address)
  if (!parsed || isLoopback(parsed)) return undefined
  return `${isPublicAddress(parsed) ? 'public' : 'private'} ${parsed.family}`
}
