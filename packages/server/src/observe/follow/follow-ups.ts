import {
  type BrowserNetworkReport,
  type FollowUpEvidence,
  type Observation,
  observed,
  type TurnSighting,
  unavailable,
} from '../../visit/network-evidence.ts'
import type { Reachability } from './reachability.ts'

/** Evidence that came after the window still corrects the row, for this long after the first sign. */
const KEPT_MS = 60_000
/** Visits remembered at once; above it the oldest is forgotten, which leaves its row as it is. */
const VISITS_MAX = 50_000
/** What they sent, all together, which several times as much memory is kept for; above it the oldest is forgotten. */
const SENT_BYTES_MAX = 128 * 1024 * 1024
/** Both transports over both families, and some to spare. */
const SIGHTINGS_MAX = 8

export interface RoundTrips {
  applicationMinMs: number
  tcpMinMs: number
  samples: number
}

export interface BrowserReport {
  /** Missing from what is said after the first report. */
  network?: BrowserNetworkReport | undefined
  /** JSON of the readings that were too slow for the snapshot. */
  readings: string | undefined
  /** Whether the agent keeps the channel, to tell how the visitor acts. */
  more?: boolean
}

export interface FollowUps {
  /** The channel was opened; false when this request already has one. */
  open(requestId: string): boolean
  /** The channel is gone, whether or not everything was said. */
  close(requestId: string): void
  sighted(requestId: string, sighting: TurnSighting): void
  /** Undefined: not to be had on this connection. */
  roundTrips(requestId: string, roundTrips: RoundTrips | undefined): void
  /** The first report, and one that adds readings to it. */
  reported(requestId: string, report: BrowserReport): void
  /** Whether it is one of the visits that are remembered: what is known of another is not all that there was. */
  knows(requestId: string): boolean
  /** What is known by now. */
  evidenceOf(requestId: string, address: string): FollowUpEvidence
  lateReadingsOf(requestId: string): string | undefined
  /**
   * Resolves when every check has answered, or `limitMs` have passed.
   * @param visit `bytes` of its body, which somebody keeps until the visit is forgotten
   */
  settled(requestId: string, visit: { openWithinMs: number; limitMs: number; bytes: number }): Promise<void>
  /** The verdict has been given on this evidence; `onNews` is called for what comes after it. */
  conclude(requestId: string, evidence: FollowUpEvidence, onNews: () => void): void
  /** Visits of which something may still be reported. */
  pending(): number
  /** Forgets what is too old. */
  sweep(): void
  /** Ends every wait. */
  stop(): void
}

interface Visit {
  sinceMs: number
  sentBytes: number
  channel: 'awaited' | 'open' | 'closed'
  sightings: TurnSighting[]
  roundTrips: Observation<RoundTrips> | undefined
  report: (BrowserReport & { network: BrowserNetworkReport }) | undefined
  /** Whether the second report has come. */
  added: boolean
  /** Set once a verdict said that no packet came. */
  missed: boolean
  onNews: (() => void) | undefined
  wake: (() => void) | undefined
}

export interface FollowUpOptions {
  /** Whether there is a responder at all. */
  turn: boolean
  reachability: Reachability
  monotonicMs(): number
  sentBytesMax?: number
}

/** Gathers, by request ID, what arrives beside and after a snapshot. */
export function createFollowUps(options: FollowUpOptions): FollowUps {
  const { turn, reachability, monotonicMs, sentBytesMax = SENT_BYTES_MAX } = options
  const visits = new Map<string, Visit>()
  let sentBytes = 0
  let stopped = false

  function visitOf(requestId: string): Visit {
    const known = visits.get(requestId)
    if (known) return known
    if (visits.size >= VISITS_MAX) forgetOldest()
    const visit: Visit = {
      sinceMs: monotonicMs(),
      sentBytes: 0,
      channel: 'awaited',
      sightings: [],
      roundTrips: undefined,
      report: undefined,
      added: false,
      missed: false,
      onNews: undefined,
      wake: undefined,
    }
    visits.set(requestId, visit)
    return visit
  }

  function forget(requestId: string): void {
    const visit = visits.get(requestId)
    visits.delete(requestId)
    sentBytes -= visit?.sentBytes ?? 0
    visit?.wake?.()
  }

  function forgetOldest(): void {
    const oldest = visits.keys().next()
    if (!oldest.done) forget(oldest.value)
  }

  function weigh(visit: Visit, bytes: number): void {
    visit.sentBytes += bytes
    sentBytes += bytes
    while (sentBytes > sentBytesMax) forgetOldest()
  }

  const news = (visit: Visit): void => {
    visit.wake?.()
    visit.onNews?.()
  }

  function turnOf(visit: Visit, address: string): FollowUpEvidence['turn'] {
    if (visit.sightings.length > 0)
      return observed('turn', { sightings: visit.sightings, late: visit.missed })
    if (!turn) return unavailable('off')
    if (!visit.report) return unavailable(visit.channel === 'closed' ? 'interrupted' : 'pending')
    const { outcome } = visit.report.network
    if (outcome !== 'complete') return unavailable(outcome)
    return unavailable(reachability.proven(address) ? 'no_packet' : 'unproven')
  }

  return {
    open(requestId) {
      const visit = visitOf(requestId)
      if (visit.channel !== 'awaited') return false
      visit.channel = 'open'
      return true
    },
    close(requestId) {
      const visit = visits.get(requestId)
      if (!visit || visit.channel === 'closed') return
      visit.channel = 'closed'
      visit.wake?.()
    },
    sighted(requestId, sighting) {
      const visit = visitOf(requestId)
      reachability.note(sighting.address)
      if (visit.sightings.length >= SIGHTINGS_MAX) return
      visit.sightings.push(sighting)
      news(visit)
    },
    roundTrips(requestId, roundTrips) {
      const visit = visitOf(requestId)
      visit.roundTrips = roundTrips ? observed('websocket', roundTrips) : unavailable('not_measured')
      news(visit)
    },
    reported(requestId, { network, readings }) {
      const visit = visitOf(requestId)
      if (visit.report) {
        if (visit.added || readings === undefined) return
        visit.added = true
        visit.report.readings = joined(visit.report.readings, readings)
      } else if (network) visit.report = { network, readings }
      weigh(visit, readings?.length ?? 0)
      news(visit)
    },
    evidenceOf(requestId, address) {
      const visit = visits.get(requestId)
      if (!visit) {
        const none = unavailable(turn ? 'not_started' : 'off')
        return { turn: none, roundTrip: unavailable('not_started'), report: unavailable('not_started') }
      }
      return {
        turn: turnOf(visit, address),
        roundTrip: visit.roundTrips ?? unavailable('pending'),
        report: visit.report ? observed('websocket', visit.report.network) : unavailable('pending'),
      }
    },
    knows: (requestId) => visits.has(requestId),
    pending: () =>
      visits.values().reduce((count, visit) => count + (visit.wake || visit.channel === 'open' ? 1 : 0), 0),
    lateReadingsOf: (requestId) => visits.get(requestId)?.report?.readings,
    settled(requestId, { openWithinMs, limitMs, bytes }) {
      const visit = visitOf(requestId)
      const settled = new Promise<void>((resolve) => {
        const finish = () => {
          clearTimeout(opening)
          clearTimeout(window)
          visit.wake = undefined
          resolve()
        }
        const opening = setTimeout(() => visit.channel === 'awaited' && finish(), openWithinMs)
        const window = setTimeout(finish, limitMs)
        visit.wake = () => {
          if (stopped || isComplete(visit) || visits.get(requestId) !== visit) finish()
        }
        visit.wake()
      })
      weigh(visit, bytes)
      return settled
    },
    conclude(requestId, { turn: seen }, onNews) {
      const visit = visits.get(requestId)
      if (!visit || stopped) return
      visit.missed ||= !seen.available && seen.reason === 'no_packet'
      visit.onNews = onNews
    },
    sweep() {
      for (const [requestId, { sinceMs }] of visits) {
        if (sinceMs > monotonicMs() - KEPT_MS) return
        forget(requestId)
      }
    },
    stop() {
      stopped = true
      for (const visit of visits.values()) visit.wake?.()
    },
  }
}

/** Both as one JSON text; what was said first stands. */
const joined = (first = '{}', added: string): string =>
  JSON.stringify({ ...JSON.parse(added), ...JSON.parse(first) })

const isComplete = ({ channel, roundTrips, report }: Visit): boolean =>
  channel === 'closed' || (roundTrips !== undefined && report !== undefined)
