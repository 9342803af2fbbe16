import { BANDS } from '@inkling/contract'
import type { Domain } from '../auth/directory.ts'
import { type EnrichDeps, enrich } from '../enrich/enrich.ts'
import type { UsualHere } from '../enrich/usual-here.ts'
import type { Linker } from '../identify/linker.ts'
import { withLateReadings } from '../ingest/ingest-body.ts'
import type { FollowUps } from '../observe/follow/follow-ups.ts'
import { openedChannel } from '../score/follow-up-channel.ts'
import { isPrivateWindow } from '../score/private-window.ts'
import { type OwnRules, type Rules, withOwnWeights } from '../score/rules.ts'
import { score } from '../score/score.ts'
import { isVouchedFor } from '../score/vouched-body.ts'
import { createOutageRetries } from '../store/outage-retries.ts'
import type { OutboxRow } from '../store/outbox/outbox.ts'
import type { Scored } from './identification.ts'
import { listSubjects } from './list-subjects.ts'
import type { Received } from './received.ts'
import type { StoredVersion, Versions } from './versions.ts'

/** An agent that announced a follow-up channel and has not opened it by now never will. */
const CHANNEL_WITHIN_MS = 2_000

export interface RefinementDeps extends EnrichDeps {
  /** The stored version, and the weights that new visits of the domain get; undefined once it is erased. */
  latest(visit: Scored): Promise<(StoredVersion & { ownRules: OwnRules | undefined }) | undefined>
  linker: Linker
  followUps: FollowUps
  /** How long follow-up checks may delay the final score. */
  followUpMs: number
  /** Resolves after this time, or at once when the signal says so. */
  pause(ms: number, signal: AbortSignal): Promise<unknown>
  warn(message: string, error: unknown): void
}

/** A visit whose first version is stored, and what scored it. */
export interface FirstVersion {
  scored: Scored
  rules: Rules
  domain: Domain
  /** Those that wait for the final version. */
  events: OutboxRow[]
}

export interface Refinements {
  /** Whether the visit's agent said that more evidence follows. */
  waitsFor(visit: Received): boolean
  /** Scores the visit again once its checks have reported, sends its events, and again with what comes later. */
  start(first: FirstVersion, checks: readonly (Promise<unknown> | undefined)[]): void
  /** Learns from a sealed visit whether browsers open a channel here, once this one had its time to. */
  learnChannel(scored: Scored): void
  /** Ends every follow-up with the evidence received so far. */
  close(): Promise<void>
}

/** A visit with a ticket of its own, sealed, which nothing contradicts. */
export const isSealed = ({ proof, verdict }: Scored): boolean =>
  proof?.ticket.state === 'valid' && isVouchedFor(proof) && verdict.score < BANDS.suspicious.from

/** Scores visits again with the evidence that follows them. */
export function createRefinements(deps: RefinementDeps, versions: Versions, usual: UsualHere): Refinements {
  const following = new Set<Promise<void>>()
  const retries = createOutageRetries(deps.pause)
  let isClosing = false

  const waitsFor = ({ followUp }: Received): boolean => followUp && deps.followUpMs > 0

  function learnChannel(scored: Scored): void {
    if (scored.via === 'agent' && isSealed(scored) && !scored.proof?.interrupted)
      usual.learnChannel(scored, openedChannel(scored) === true)
  }

  /** Resolves when all checks of the visit have reported, or their time is over. */
  const settled = ({ requestId, body, address }: Received): Promise<void> =>
    deps.followUps.settled(requestId, {
      openWithinMs: Math.min(CHANNEL_WITHIN_MS, deps.followUpMs),
      limitMs: deps.followUpMs,
      bytes: body.length,
      address,
    })

  async function follow(
    { scored: first, rules: given, domain, events }: FirstVersion,
    checks: Promise<unknown>,
  ): Promise<void> {
    await checks
    const final = scoreAgain(first, given, domain)
    if (waitsFor(first) && !isClosing) learnChannel(final)
    const isPrivate = isPrivateWindow(final)
    if (isPrivate !== undefined) deps.linker.learnWindow(final.cookieId, isPrivate)
    let rules = given
    let stored: StoredVersion = { ver: first.atMs, entries: first.verdict.entries }
    const isRemembered = (): boolean => !waitsFor(first) || deps.followUps.has(first.requestId)
    const keep = async (scored: Scored, held: OutboxRow[]): Promise<void> => {
      for (let next = scored; ; ) {
        const kept = await retries.run(() => versions.next(next, stored, held), isRemembered)
        if (kept !== undefined) {
          stored = { ver: kept, entries: next.verdict.entries }
          return
        }
        // Visits were scored again, or an outage hid that this version is stored.
        const latest = await retries.run(() => deps.latest(first), isRemembered)
        if (!latest) return
        stored = latest
        rules = withOwnWeights(latest.ownRules)
        // Of a visit that is forgotten, only what was scored last has the evidence.
        next = scoreAgain(deps.followUps.has(first.requestId) ? first : next, rules, domain)
      }
    }
    const kept = keep(final, events)
    let turn = kept.catch(() => {})
    // Not after the commit, which an outage may delay: evidence that arrives meanwhile counts as well.
    deps.followUps.conclude(first.requestId, final.network, () => {
      if (!deps.followUps.has(first.requestId)) return
      // One after the other, so that the latest evidence is the one stored last.
      turn = turn
        .then(async () => {
          const later = scoreAgain(first, rules, domain)
          if (openedChannel(later)) learnChannel(later)
          await keep(later, [])
        })
        .catch((error) => deps.warn('late evidence could not be stored', error))
    })
    await kept
  }

  /** Scores the visit with the evidence known now. Its identity stays. */
  function scoreAgain(earlier: Scored, rules: Rules, { lists }: Domain): Scored {
    const late = deps.followUps.lateReadingsOf(earlier.requestId)
    const withLate = late === undefined ? earlier : withLateReadings(earlier, late)
    const isRemembered = deps.followUps.has(earlier.requestId)
    const network = {
      ...earlier.network,
      ...(isRemembered && deps.followUps.evidenceOf(earlier.requestId, earlier.address)),
    }
    // A server that stops or forgets gives no page the time to open one.
    const hadTime = isRemembered && !isClosing && earlier.followUp
    const received: Received = {
      ...withLate,
      network: hadTime ? usual.withoutChannel(earlier, network) : network,
    }
    const identified = { ...enrich(received, deps), identity: earlier.identity }
    // An address that the network check saw meanwhile may be in a list.
    const matches = lists.match(listSubjects(identified), earlier.atMs)
    return score({ ...identified, sticky: earlier.sticky, lists: matches }, rules)
  }

  return {
    waitsFor,
    learnChannel,
    start(first, checks) {
      const { scored } = first
      const all = Promise.all([waitsFor(scored) ? settled(scored) : undefined, ...checks])
      const one = follow(first, all).catch((error) =>
        deps.warn('an identification could not be refined; its first version stands', error),
      )
      following.add(one)
      void one.finally(() => following.delete(one))
    },
    async close() {
      isClosing = true
      deps.followUps.stop()
      retries.stop()
      await Promise.all(following)
    },
  }
}
