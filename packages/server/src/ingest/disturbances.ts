import { growingCache } from '../lib/growing-cache.ts'
import type { Proof } from '../visit/proof.ts'
import { visitorNetwork } from './tickets.ts'

/** An agent waits two seconds for its ticket, and slow machines take some more for the body. */
const LASTS_MS = 15_000
/** A start may be an upgrade, and for so long browsers keep the loader of the release before. */
const EARLIER_AGENTS_MS = 300_000
const NETWORKS_MAX = 10_000

/** When this server itself may have kept honest visits from their tickets. */
export interface Disturbances {
  /** Notes that a request for a ticket was refused because there were too many: of all visitors, or of this one. */
  ticketRefused(statusCode: number, address: string): void
  /**
   * Whether a visit may lack its ticket for that reason, or because the server has just started. An agent that asks for
   * tickets seals its body with or without one, so no refusal is the reason of a body that is not sealed: otherwise
   * whoever asks too often could send what he likes.
   */
  excuse(visit: { address: string; body: Proof['body'] }): boolean
}

export function createDisturbances(now: () => number): Disturbances {
  const startedAtMs = now()
  let disturbedAtMs = startedAtMs
  // By network, so that one client that asks too often excuses only visits from its own network.
  const limited = growingCache<string, number>(NETWORKS_MAX)
  const isWithin = (ms: number, atMs = Number.NEGATIVE_INFINITY): boolean => Math.abs(now() - atMs) < ms
  return {
    ticketRefused(statusCode, address) {
      if (statusCode === 503) disturbedAtMs = now()
      if (statusCode === 429) limited.set(visitorNetwork(address), now())
    },
    excuse: ({ address, body }) =>
      body === 'unbound'
        ? isWithin(EARLIER_AGENTS_MS, startedAtMs)
        : isWithin(LASTS_MS, disturbedAtMs) || isWithin(LASTS_MS, limited.get(visitorNetwork(address))),
  }
}
