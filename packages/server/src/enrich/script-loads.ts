import { growingCache } from '../lib/growing-cache.ts'
import type { NetworkEvidence } from '../visit/network-evidence.ts'
import { kindOf, siteNetworkOf } from './usual-clients.ts'

/** A connection and where it came from. */
interface Source {
  tls: NetworkEvidence['tls']
  address: string
}

/**
 * From which networks the agent's script was loaded lately, and by which TLS. A page that posts a body has loaded the
 * script before, and what stands between a browser and this server opens both connections.
 */
export interface ScriptLoads {
  add(source: Source): void
  /** Undefined where TLS or network is not known. */
  has(source: Source): boolean | undefined
}

const SOURCES_MAX = 100_000

export function createScriptLoads(): ScriptLoads {
  const known = growingCache<string, true>(SOURCES_MAX)
  return {
    add(source) {
      const key = keyOf(source)
      if (key !== undefined) known.set(key, true)
    },
    has(source) {
      const key = keyOf(source)
      return key === undefined ? undefined : known.get(key) === true
    },
  }
}

function keyOf({ tls, address }: Source): string | undefined {
  const kind = kindOf(tls)
  const network = siteNetworkOf(address)
  return kind === undefined || network === undefined ? undefined : `${network} ${kind}`
}
