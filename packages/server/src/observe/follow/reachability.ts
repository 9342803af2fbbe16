import { isLoopback } from '../../lib/is-loopback.ts'
import { parseAddress } from '../../lib/parse-address.ts'
import { isPublicAddress } from '../../lib/public-address.ts'

export interface Reachability {
  /** A packet of a network check came from this address. */
  note(address: string): void
  /** Whether packets of visitors like this one have come through before. */
  proven(address: string): boolean
}

/**
 * A check that nobody passes says that the operator's firewall is shut, and nothing of the visitor. Public
 * and private addresses take different ways, so one proves nothing of the other; of visits from this very
 * machine nothing is expected, as Firefox leaves the loopback out of its checks.
 */
export function createReachability(): Reachability {
  const passed = { public: false, private: false }
  const scopeOf = (address: string): keyof typeof passed | undefined => {
    const parsed = parseAddress(address)
    if (!parsed || isLoopback(parsed)) return undefined
    return isPublicAddress(parsed) ? 'public' : 'private'
  }
  return {
    note(address) {
      const scope = scopeOf(address)
      if (scope) passed[scope] = true
    },
    proven(address) {
      const scope = scopeOf(address)
      return scope !== undefined && passed[scope]
    },
  }
}
