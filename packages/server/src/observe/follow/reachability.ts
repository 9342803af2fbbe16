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
 * different routes, so each needs its own proof. Loopback is never proven: Firefox leaves it out of its checks.
 */
export function createReachability(): Reachability {
  const passed = { public: false, private: false }
  const scopeOf = (address: string): keyof typeof passed | undefined => {
    const parsed = parseAddress(address)
    if (!parsed || isLoopback(parsed)) return undefined
    return isPublicAddress(parsed) ? 'public' : 'private'
  }
  return {
    add(address) {
      const scope = scopeOf(address)
      if (scope) passed[scope] = true
    },
    isProven(address) {
      const scope = scopeOf(address)
      return scope !== undefined && passed[scope]
    },
  }
}
