import { NIL_UUID } from '@inkling/contract'
import { derivedKey } from '../auth/derived-key.ts'
import { MINUTE_MS } from '../lib/durations.ts'
import { growingCache } from '../lib/growing-cache.ts'
import { createSecretBox } from '../lib/secret-box.ts'
import type { EdgeJoin, EdgeRequest, JoinRefusal } from '../visit/edge-join.ts'
import type { NetworkEvidence, Observation } from '../visit/network-evidence.ts'

/** Who asked for the page, or who ran it. */
interface JoinHolder {
  domainId: number
  address: string
  userAgent: string
}

/** The visit that a page's agent reports. */
export interface JoiningVisit extends JoinHolder {
  requestId: string
  cookieId: string
}

export interface JoinKeys {
  /** A key that holds what the edge saw, for the page that it asked about. */
  seal(edge: EdgeRequest, holder: JoinHolder): string
  /** What a key that came with a body holds; undefined where none came. */
  open(key: unknown, visit: JoiningVisit): EdgeJoin | undefined
}

/** A page runs soon after it was asked for. A tab that is opened in the background may wait a while. */
const AGE_MS_MAX = 10 * MINUTE_MS
/** Clocks of two nodes differ. */
const EARLY_MS_MAX = MINUTE_MS
/** An assessment with as many headers as are kept takes about 10 KB. */
const KEY_LENGTH_MAX = 16 * 1_024
/** About 8 MB. */
const USES_MAX = 50_000

const refused = (why: JoinRefusal): EdgeJoin => ({ state: 'refused', why })

/**
 * Makes and opens the keys that join an assessment to the visit of its page. The assessment is in the key, encrypted, so
 * no node has to store it and any node can open it. Only who used a key first is remembered, by each process for itself.
 */
export function createJoinKeys(secret: Uint8Array, now: () => number, usesMax = USES_MAX): JoinKeys {
  const box = createSecretBox(derivedKey(secret, 'join keys'))
  const firstUses = growingCache<string, string>(usesMax)

  function read(key: string): { edge: EdgeRequest; holder: JoinHolder } | undefined {
    try {
      return key.length > KEY_LENGTH_MAX ? undefined : JSON.parse(box.open(Buffer.from(key, 'base64url')))
    } catch {
      return undefined
    }
  }

  /** A page may report several visits, all with the visitor's cookie. */
  function isReplayed(assessmentId: string, { cookieId, requestId }: JoiningVisit): boolean {
    const visitor = cookieId === NIL_UUID ? requestId : cookieId
    const first = firstUses.get(assessmentId)
    if (first === undefined) firstUses.set(assessmentId, visitor)
    return first !== undefined && first !== visitor
  }

  return {
    seal: (edge, { domainId, address, userAgent }) =>
      box.seal(JSON.stringify({ edge, holder: { domainId, address, userAgent } })).toString('base64url'),

    open(key, visit) {
      if (typeof key !== 'string' || key === '') return undefined
      const sealed = read(key)
      if (!sealed) return refused('unreadable')
      const { edge, holder } = sealed
      // First, because a domain must not learn of requests to another.
      if (holder.domainId !== visit.domainId) return refused('foreign')
      const ageMs = now() - edge.atMs
      if (ageMs > AGE_MS_MAX || ageMs < -EARLY_MS_MAX) return refused('expired')
      if (holder.userAgent !== visit.userAgent) return refused('other_client')
      if (isReplayed(edge.assessmentId, visit)) return refused('replayed')
      return { state: 'joined', sameAddress: holder.address === visit.address, ...edge }
    },
  }
}

/** The server's own connection is then the proxy's. On plain HTTP browsers send other headers, so that is no such case. */
const ENDED_BY_PROXY: readonly string[] = ['behind_proxy', 'undeclared_proxy']

const isHidden = (observation: Observation<unknown>): boolean =>
  !observation.available && ENDED_BY_PROXY.includes(observation.reason)

/** What the server sees of a visit, and where a proxy hides the visitor's TLS and HTTP/2, what the edge saw of them. */
export function withEdgeEvidence(network: NetworkEvidence, edge: EdgeJoin | undefined): NetworkEvidence {
  if (edge?.state !== 'joined' || !edge.sameAddress) return network
  const { tls, http2 } = edge
  return {
    ...network,
    ...(isHidden(network.tls) && tls.available && { tls }),
    ...(isHidden(network.http2) && http2.available && { http2 }),
  }
}
