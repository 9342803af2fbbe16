import { FOLLOW_REPORTS_MAX, GROWING_READINGS, type NetworkReport } from '@inkling/contract'
import { limitKeys } from '../../lib/address-limit.ts'
import {
  type FollowUpEvidence,
  type Observation,
  observed,
  type TurnSighting,
  unavailable,
} from '../../visit/network-evidence.ts'
import type { Reachability } from './reachability.ts'
import { createVisitPools } from './visit-pools.ts'

/** How long a visit is remembered. Evidence that arrives after the follow-up window still corrects the row. */
const KEPT_MS = 60_000
/** UDP and TCP over IPv4 and IPv6 make four; the rest is reserve. */
const SIGHTINGS_MAX = 8

export interface RoundTrips {
  applicationMinMs: number
  tcpMinMs: number
  samples: number
}

export interface BrowserReport {
  /** In the first report only. */
  network?: NetworkReport | undefined
  /** JSON of the readings that were not ready for the snapshot. */
  readings: string | undefined
  /** Whether the agent keeps the channel open for another report. */
  more?: boolean
}

export interface FollowUps {
  /**
   * Notes that the channel was opened. False when the request already has one.
   * @param address of the visitor, whose share its evidence takes
   */
  open(requestId: string, address?: string): boolean
  /**
   * Notes that the request ID has a ticket of this address: what made-up ones send no longer pushes it out. One that was
   * pushed out already begins anew.
   */
  vouch(requestId: string, address: string): void
  /** Notes that the channel was closed. */
  close(requestId: string): void
  /** Notes that another node has its snapshot: what arrives here is kept, as if the snapshot were here. */
  followedElsewhere(requestId: string): void
  addSighting(requestId: string, sighting: TurnSighting): void
  /** @param roundTrips undefined when they could not be measured on this connection */
  addRoundTrips(requestId: string, roundTrips: RoundTrips | undefined): void
  /** The first report, or a later one, of which only the readings are used. */
  addReport(requestId: string, report: BrowserReport): void
  /** Whether the visit is still remembered; otherwise its evidence here is incomplete. */
  has(requestId: string): boolean
  /** Whether its snapshot has arrived. */
  isSeen(requestId: string): boolean
  /** What is known so far. */
  evidenceOf(requestId: string, address: string): FollowUpEvidence
  lateReadingsOf(requestId: string): string | undefined
  /**
   * Resolves when every check has answered, no channel was opened within `openWithinMs`, or `limitMs` have passed.
   * @param visit `bytes` is the size of its snapshot, which the pipeline keeps in memory until the visit is forgotten
   */
  settled(requestId: string, visit: SettledVisit): Promise<void>
  /** Notes that a verdict was given on this evidence; `onUpdate` is called when more arrives. */
  conclude(requestId: string, evidence: FollowUpEvidence, onUpdate: () => void): void
  /** How many visits may still get evidence. */
  pending(): number
  /** How much the remembered visits sent. */
  load(): { bytes: number }
  /** Forgets old visits. */
  sweep(): void
  /** Resolves everything that `settled` returned. */
  stop(): void
}

interface SettledVisit {
  openWithinMs: number
  limitMs: number
  bytes: number
  address: string
}

interface Visit {
  sinceMs: number
  /** The visitor's address or network. */
  group: string
  /** Whether its snapshot has arrived. */
  isSeen: boolean
  hasTicket: boolean
  sentBytes: number
  channel: 'expected' | 'open' | 'closed'
  sightings: TurnSighting[]
  roundTrips: Observation<RoundTrips> | undefined
  report: (BrowserReport & { network: NetworkReport }) | undefined
  /** How many reports have arrived. */
  reports: number
  /** Set once a verdict was based on `no_packet`. */
  missed: boolean
  onUpdate: (() => void) | undefined
  wake: (() => void) | undefined
}

export interface FollowUpOptions {
  /** Whether there is a TURN responder. */
  turn: boolean
  reachability: Reachability
  monotonicMs(): number
  /** Called when visits are forgotten before their time, because there are too many or they sent too much. */
  onEvicted?: () => void
  sentBytesMax?: number
}

const groupOf = (address: string): string => limitKeys(address)[0]

/** Collects, by request ID, the evidence that arrives beside and after a snapshot. */
export function createFollowUps(options: FollowUpOptions): FollowUps {
  const { turn, reachability, monotonicMs, onEvicted = () => {}, sentBytesMax } = options
  const visits = new Map<string, Visit>()
  const pools = createVisitPools(sentBytesMax)
  let stopped = false

  function visitOf(requestId: string, address = ''): Visit {
    const known = visits.get(requestId)
    if (known) return known
    const visit: Visit = {
      sinceMs: monotonicMs(),
      group: groupOf(address),
      isSeen: false,
      hasTicket: false,
      sentBytes: 0,
      channel: 'expected',
      sightings: [],
      roundTrips: undefined,
      report: undefined,
      reports: 0,
      missed: false,
      onUpdate: undefined,
      wake: undefined,
    }
    visits.set(requestId, visit)
    count(requestId, visit)
    return visit
  }

  function forget(requestId: string): void {
    const visit = visits.get(requestId)
    if (!visit) return
    visits.delete(requestId)
    pools.of(visit).remove(requestId)
    visit.wake?.()
  }

  /** Counts a visit as it is now; others, or itself, are forgotten when its pool is full. */
  function count(requestId: string, visit: Visit): void {
    for (const leaving of pools.of(visit).set(requestId, visit.group, visit.sentBytes)) {
      forget(leaving)
      onEvicted()
    }
  }

  function addBytes(requestId: string, visit: Visit, bytes: number): void {
    visit.sentBytes += bytes
    if (visits.get(requestId) === visit) count(requestId, visit)
  }

  const notify = (visit: Visit): void => {
    visit.wake?.()
    visit.onUpdate?.()
  }

  function turnOf(visit: Visit, address: string): FollowUpEvidence['turn'] {
    if (visit.sightings.length > 0)
      return observed('turn', { sightings: visit.sightings, late: visit.missed })
    if (!turn) return unavailable('off')
    if (!visit.report) return unavailable(visit.channel === 'closed' ? 'interrupted' : 'pending')
    const { outcome } = visit.report.network
    if (outcome !== 'complete') return unavailable(outcome)
    return unavailable(reachability.isProven(address) ? 'no_packet' : 'unproven')
  }

  return {
    open(requestId, address) {
      const visit = visitOf(requestId, address)
      if (visit.channel !== 'expected') return false
      visit.channel = 'open'
      return true
    },
    vouch(requestId, address) {
      const known = visits.get(requestId)
      const visit = known ?? visitOf(requestId, address)
      if (visit.isSeen || visit.hasTicket) return
      pools.of(visit).remove(requestId)
      visit.hasTicket = true
      // Only a channel brings tickets.
      if (!known) visit.channel = 'open'
      count(requestId, visit)
    },
    close(requestId) {
      const visit = visits.get(requestId)
      if (!visit || visit.channel === 'closed') return
      visit.channel = 'closed'
      visit.wake?.()
    },
    followedElsewhere(requestId) {
      const visit = visits.get(requestId)
      if (!visit || visit.isSeen) return
      pools.of(visit).remove(requestId)
      visit.isSeen = true
      count(requestId, visit)
    },
    addSighting(requestId, sighting) {
      const visit = visitOf(requestId, sighting.address)
      reachability.add(sighting.address)
      if (visit.sightings.length >= SIGHTINGS_MAX) return
      visit.sightings.push(sighting)
      notify(visit)
    },
    addRoundTrips(requestId, roundTrips) {
      const visit = visitOf(requestId)
      visit.roundTrips = roundTrips ? observed('websocket', roundTrips) : unavailable('not_measured')
      notify(visit)
    },
    addReport(requestId, { network, readings }) {
      const visit = visitOf(requestId)
      if (visit.report) {
        if (visit.reports >= FOLLOW_REPORTS_MAX || readings === undefined) return
        visit.report.readings = merged(visit.report.readings, readings)
      } else if (network) visit.report = { network, readings }
      visit.reports += 1
      addBytes(requestId, visit, readings?.length ?? 0)
      notify(visit)
    },
    evidenceOf(requestId, address) {
      const visit = visits.get(requestId)
      if (!visit) {
        const none = unavailable(turn ? 'not_started' : 'off')
        return { turn: none, roundTrip: unavailable('not_started'), report: unavailable('not_started') }
      }
      return {
        turn: turnOf(visit, address),
        // An announced channel is none yet.
        roundTrip: visit.roundTrips ?? unavailable(visit.channel === 'expected' ? 'not_started' : 'pending'),
        report: visit.report ? observed('websocket', visit.report.network) : unavailable('pending'),
      }
    },
    has: (requestId) => visits.has(requestId),
    isSeen: (requestId) => visits.get(requestId)?.isSeen === true,
    load: () => ({ bytes: pools.bytes() }),
    pending: () =>
      visits.values().reduce((count, visit) => count + (visit.wake || visit.channel === 'open' ? 1 : 0), 0),
    lateReadingsOf: (requestId) => visits.get(requestId)?.report?.readings,
    settled(requestId, { openWithinMs, limitMs, bytes, address }) {
      const visit = visitOf(requestId, address)
      pools.of(visit).remove(requestId)
      visit.isSeen = true
      visit.group = groupOf(address)
      const settled = new Promise<void>((resolve) => {
        const finish = () => {
          clearTimeout(opening)
          clearTimeout(window)
          visit.wake = undefined
          resolve()
        }
        const opening = setTimeout(() => visit.channel === 'expected' && finish(), openWithinMs)
        const window = setTimeout(finish, limitMs)
        visit.wake = () => {
          if (stopped || isComplete(visit) || visits.get(requestId) !== visit) finish()
        }
        visit.wake()
      })
      addBytes(requestId, visit, bytes)
      return settled
    },
    conclude(requestId, { turn: seen }, onUpdate) {
      const visit = visits.get(requestId)
      if (!visit || stopped) return
      visit.missed ||= !seen.available && seen.reason === 'no_packet'
      visit.onUpdate = onUpdate
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

/** Both readings as one JSON text. The first wins, except for readings that accumulate. */
function merged(first = '{}', added: string): string {
  const all: Record<string, unknown> = JSON.parse(added)
  const growing = GROWING_READINGS.flatMap((name) => (name in all ? [[name, all[name]] as const] : []))
  return JSON.stringify({ ...all, ...JSON.parse(first), ...Object.fromEntries(growing) })
}

const isComplete = ({ channel, roundTrips, report }: Visit): boolean =>
  channel === 'closed' || (roundTrips !== undefined && report !== undefined)
