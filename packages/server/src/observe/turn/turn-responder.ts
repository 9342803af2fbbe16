import { lookup } from 'node:dns/promises'
import { growingCache } from '../../lib/growing-cache.ts'
import { createSlewedClock } from '../../lib/slewed-clock.ts'
import type { TurnSighting, TurnTransport } from '../../visit/network-evidence.ts'
import { longTermKey } from './stun-message.ts'
import { issueTurnCredential, type TurnCredential } from './turn-credentials.ts'
import { createTurnExchange, type TurnExchange } from './turn-exchange.ts'
import { openTurnTcp, openTurnUdp } from './turn-listeners.ts'
import { createSourceRateLimit } from './turn-source.ts'

/** What became of a message; `limited` was ignored, or its connection closed, because its network sent too many. */
export interface TurnMessage {
  transport: TurnTransport
  result: 'answered' | 'ignored' | 'limited'
}

export interface TurnResponderOptions {
  /** Name or address to listen on; `::` includes IPv4. */
  host: string
  /** For both UDP and TCP; 0 for any free port. */
  port: number
  /** Processes that share it accept each other's credentials. */
  secret: Buffer
  /** Wall clock, milliseconds. */
  now: () => number
  /** Monotonic clock, milliseconds with fractions. */
  monotonicMs: () => number
  /** Called once per request, transport and address. */
  onSighting: (seen: RequestSighting) => void
  onMessage: (message: TurnMessage) => void
}

export interface TurnResponder {
  port: number
  /** The credential for one request's check; valid for about a minute. */
  credentialsFor(requestId: string): TurnCredential
  close(): Promise<void>
}

/**
 * The server side of the network check: a TURN server that refuses every allocation and reports the address at
 * which the holder of a request's credential sends and receives.
 * @throws when the port is taken or not permitted, or MD5 is not available; nothing stays open then
 */
export async function openTurnResponder(options: TurnResponderOptions): Promise<TurnResponder> {
  const { host, port, secret, now, monotonicMs, onSighting, onMessage } = options
  // Fails at the start, not at the first visitor, on platforms that forbid MD5.
  longTermKey('', '', '')
  const isFirst = createSightingFilter()
  const exchange = createTurnExchange({
    secret,
    // A clock that jumps must not expire credentials: a failed check counts against the visitor.
    now: createSlewedClock(now, monotonicMs),
    monotonicMs,
    onSighting: (seen) => {
      if (isFirst(seen)) onSighting(seen)
    },
  })
  const isAllowed = createSourceRateLimit(monotonicMs)
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
  const tcp = await openTurnTcp(address, port, limited, {
    onRefused: () => onMessage({ transport: 'tcp', result: 'limited' }),
  })
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

export interface RequestSighting {
  requestId: string
  sighting: TurnSighting
}

/** UDP and TCP over IPv4 and IPv6 make four; a laptop that changes its network has more. */
const PER_REQUEST_MAX = 8
/** Credentials are valid for a minute, so this is enough for 500 checks a second. */
const REQUESTS_MAX = 30_000

/**
 * Returns whether a sighting is new. Browsers repeat messages, and a leaked credential may be used from any number of
 * addresses.
 */
export function createSightingFilter(): (seen: RequestSighting) => boolean {
  const known = growingCache<string, Set<string>>(REQUESTS_MAX)
  return ({ requestId, sighting: { transport, address } }) => {
    const seenAt = known.get(requestId) ?? new Set()
    const place = `${transport} ${address}`
    if (seenAt.has(place) || seenAt.size === PER_REQUEST_MAX) return false
    known.set(requestId, seenAt.add(place))
    return true
  }
}
