import { growingCache } from '../lib/growing-cache.ts'
import { visitorNetwork } from './tickets.ts'

/** An agent waits two seconds for its ticket, and slow machines take some more for the body. */
const LASTS_MS = 15_000
const NETWORKS_MAX = 10_000

/** When this server itself may have kept honest visits from their tickets. */
export interface Disturbances {
  /** Notes that a request was refused because there were too many: of all visitors, or of this one. */
  refused(statusCode: number, address: string): void
  /** Whether a visit of the address may lack its ticket for that reason, or because the server has just started. */
  isDisturbed(address: string): boolean
}

export function createDisturbances(now: () => number): Disturbances {
  let disturbedAtMs = now()
  // By network: nobody may take the meaning from the tickets of all others by asking too often.
  const limited = growingCache<string, number>(NETWORKS_MAX)
  const isRecent = (atMs: number): boolean => Math.abs(now() - atMs) < LASTS_MS
  return {
    refused(statusCode, address) {
      if (statusCode === 503) disturbedAtMs = now()
      if (statusCode === 429) limited.set(visitorNetwork(address), now())
    },
    isDisturbed: (address) =>
      isRecent(disturbedAtMs) || isRecent(limited.get(visitorNetwork(address)) ?? Number.NEGATIVE_INFINITY),
  }
}
