import { growingCache } from '../lib/growing-cache.ts'
import type { NetworkEvidence } from '../visit/network-evidence.ts'
import { kindOf, siteNetworkOf } from './usual-clients.ts'

/** A request and where it came from. */
interface Source extends Pick<NetworkEvidence, 'tls' | 'headers'> {
  address: string
}

/**
 * From which networks the agent's script was loaded lately, and by which TLS. A page that posts a body has loaded the
 * script before, and what stands between a browser and this server opens both connections.
 * A browser that says of the body what it is for says so of the script too, so a program's bare request is no load for it.
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
      if (key === undefined) return
      known.set(key, true)
      if (saysWhatFor(source)) known.set(`${key} ${FOR_WHAT}`, true)
    },
    has(source) {
      const key = keyOf(source)
      return key === undefined
        ? undefined
        : known.get(saysWhatFor(source) ? `${key} ${FOR_WHAT}` : key) === true
    },
  }
}

function keyOf({ tls, address }: Source): string | undefined {
  const kind = kindOf(tls)
  const network = siteNetworkOf(address)
  return kind === undefined || network === undefined ? undefined : `${network} ${kind}`
}

const FOR_WHAT = 'sec-fetch-dest'

/** Older browsers do not, nor do some that stand behind a program that takes headers away. */
const saysWhatFor = ({ headers }: Source): boolean =>
  headers.available && /\/\w+$/.test(headers.value.fetchMetadata ?? '')
