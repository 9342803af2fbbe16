import { growingCache } from '../lib/growing-cache.ts'
import type { Enriched } from '../visit/identification.ts'
import { siteNetworkOf } from './usual-clients.ts'

type Measured = Pick<Enriched, 'client' | 'curves' | 'address'>

/**
 * How long the browsers of this installation's proven visits say that the curves of their tickets are. All browsers of one
 * engine and version agree on every digit, whatever their screen, fonts and settings, so a browser that agrees with none is
 * another engine, or answers for another ticket. In memory: it is learned again after a restart, and until then nothing
 * is usual.
 */
export interface UsualCurves {
  /** Only of visits with a valid ticket and a key that came by their engine's own TLS. */
  learn(measured: Measured): void
  /**
   * Whether some curve has a length that no other network has said, although the others agree; undefined where no curve
   * is known well enough.
   */
  isUnlike(measured: Measured): boolean | undefined
}

/** Other networks that must have measured a curve. */
const NETWORKS_MIN = 5
/** The longest unseen network is forgotten. */
const NETWORKS_MAX = 30
/** Of those, so many say what another one says too. Else a version has several builds, and few of each are known. */
const SHARE_MIN = 0.9
/** Engines, versions and curves. About 3 KB each. */
const CURVES_MAX = 3_000

export function createUsualCurves(): UsualCurves {
  /** The latest length that each network said. */
  const known = growingCache<string, Map<string, number>>(CURVES_MAX)

  function judge(length: number, network: string, said: ReadonlyMap<string, number>): boolean | undefined {
    const others = [...said].flatMap(([other, value]) => (other === network ? [] : [value]))
    if (others.includes(length)) return false
    const agreeing = others.filter((value, place) =>
      others.some((same, at) => at !== place && same === value),
    )
    return others.length >= NETWORKS_MIN && agreeing.length >= others.length * SHARE_MIN ? true : undefined
  }

  return {
    learn({ client, curves = [], address }) {
      const network = siteNetworkOf(address)
      if (network === undefined || client.engine === '') return
      for (const { curve, length } of curves) {
        const key = keyOf(client, curve)
        const said = known.get(key) ?? new Map<string, number>()
        known.set(key, said)
        said.delete(network)
        said.set(network, length)
        const [longestUnseen = network] = said.keys()
        if (said.size > NETWORKS_MAX) said.delete(longestUnseen)
      }
    },
    isUnlike({ client, curves = [], address }) {
      const network = siteNetworkOf(address) ?? ''
      const answers = curves.map(({ curve, length }) => {
        const said = known.get(keyOf(client, curve))
        return said && judge(length, network, said)
      })
      return answers.includes(true) ? true : answers.includes(false) ? false : undefined
    },
  }
}

const keyOf = ({ engine, browserMajor }: Enriched['client'], curve: string): string =>
  `${engine} ${browserMajor} ${curve}`
