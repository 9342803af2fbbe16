import { hash } from 'node:crypto'
import { growingCache } from '../lib/growing-cache.ts'

/** About 8 MB. At ten visits a second the last hour and a half. */
const BODIES_MAX = 50_000

/** Bodies that this process received lately. */
export interface SeenBodies {
  /**
   * The request ID under which the same body came first; undefined if it is new.
   * @param body what is kept of it, without its proof and its request ID
   */
  firstUse(domainId: number, body: string, requestId: string): string | undefined
}

/**
 * Recognises a body that is posted again with its proof cut off. Only in memory: a ticket is recognised by itself, and an
 * index in the database would cost each visit more than all other checks of its proof.
 */
export function createSeenBodies(bodiesMax = BODIES_MAX): SeenBodies {
  const firstUses = growingCache<string, string>(bodiesMax)
  return {
    firstUse(domainId, body, requestId) {
      if (!isUnlikeAnyOther(body)) return undefined
      const name = hash('sha256', `${domainId} ${body}`, 'base64url').slice(0, 22)
      const first = firstUses.get(name)
      if (first === undefined) firstUses.set(name, requestId)
      return first === requestId ? undefined : first
    },
  }
}

/** Agents add a random fraction to the duration. Bodies of earlier ones may be alike without being copies. */
const isUnlikeAnyOther = (body: string): boolean => /"duration_ms":\d+\.\d{4}/.test(body)
