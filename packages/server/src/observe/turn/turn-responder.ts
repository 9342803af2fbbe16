import { lookup } from 'node:dns/promises'
import { LRUCache } from 'lru-cache'
import { createSlewedClock } from '../../lib/slewed-clock.ts'
import type { TurnSighting, TurnTransport } from '../../visit/network-evidence.ts'
import { longTermKey } from './stun-message.ts'
import { issueTurnCredential, type TurnCredential } from './turn-credentials.ts'
import { createTurnExchange, type TurnExchange } from './turn-exchange.ts'
import { openTurnTcp, openTurnUdp } from './turn-listeners.ts'
import { createSourceAllowance } from './turn-source.ts'

/** A message, and what it got: an answer, silence, or silence because its network sent too many. */
export interface TurnMessage {
  transport: TurnTransport
  result: 'answered' | 'ignored' | 'limited'
}

export interface TurnResponderOptions {
  /** Name or address to listen on; `::` takes IPv4 too. */
  host: string
  /** Of UDP and TCP alike; 0 takes any. */
  port: number
  /** Processes that share it take each other's credentials. */
  secret: Buffer
  /** The wall clock, milliseconds. */
  now: () => number
  /** A clock that never goes back, milliseconds with fractions. */
  monotonicMs: () => number
  /** Once per request, transport and address. */
  onSighting: (seen: SeenByTurn) => void
  onMessage: (message: TurnMessage) => void
}

export interface TurnResponder {
  port: number
  /** What the browser of this request needs for its check; valid for about a minute. */
  credentialsFor(requestId: string): TurnCredential
  close(): Promise<void>
}

/**
 * The server's end of the network check: looks like a TURN server that refuses everyone, and tells at which
 * address the holder of a request's credential sends and receives.
 * @throws when the port is taken or not permitted, or there is no MD5; nothing stays open then
 */
export async function openTurnResponder(options: TurnResponderOptions): Promise<TurnResponder> {
  const { host, port, secret, now, monotonicMs, onSighting, onMessage } = options
  // Where a platform forbids MD5, it says so now and not at the first visitor.
  longTermKey('', '', '')
  const isFirst = createFirstSightings()
  const exchange = createTurnExchange({
    secret,
    // A clock that leaps must not expire what was given out: to be refused would speak against the visitor.
    now: createSlewedClock(now, monotonicMs),
    monotonicMs,
    onSighting: (seen) => {
      if (isFirst(seen)) onSighting(seen)
    },
  })
  const isAllowed = createSourceAllowance(monotonicMs)
  const limited: TurnExchange = (bytes, source) => {
    const isLimited = !isAllowed(source)
    const answer = isLimited ? undefined : exchange(bytes, source)
    onMessage({
      transport: source.transport,
      result: isLimited ? 'limited' : answer ? 'answered' : 'ignored',
    })
    return answer
  }

  const { address } = await lookup(host)
  const tcp = await openTurnTcp(address, port, limited)
  const closeUdp = await openTurnUdp(address, tcp.port, limited).catch(async (error) => {
    await tcp.close()
    throw error
  })
  return {
    port: tcp.port,
    credentialsFor: (requestId) => issueTurnCredential(secret, requestId, now()),
    async close() {
      await Promise.all([tcp.close(), closeUdp()])
    },
  }
}

export interface SeenByTurn {
  requestId: string
  sighting: TurnSighting
}

/** UDP and TCP over IPv4 and IPv6 make four; a laptop that changes its network meanwhile has more. */
const PER_REQUEST_MAX = 8
/** Credentials live for a minute, so this is 500 checks a second. */
const REQUESTS_MAX = 30_000

/** Whether a sighting is news: browsers repeat messages, and a credential may be used from many addresses. */
export function createFirstSightings(): (seen: SeenByTurn) => boolean {
  const known = new LRUCache<string, Set<string>>({ max: REQUESTS_MAX })
  return ({ requestId, sighting: { transport, address } }) => {
    const places = known.get(requestId) ?? new Set()
    const place = `${transport} ${address}`
    if (places.has(place) || places.size === PER_REQUEST_MAX) return false
    known.set(requestId, places.add(place))
    return true
  }
}
