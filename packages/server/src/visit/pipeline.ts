import { BANDS } from '@inkling/contract'
import type { Domain } from '../auth/directory.ts'
import { HOLD_MS } from '../deliver/dispatcher.ts'
import { deviceEntries, outboxEntries, withOutboxId } from '../deliver/outbox-entries.ts'
import { scoredEvent } from '../deliver/webhook-events.ts'
import type { Agents } from '../enrich/agents/identify-agent.ts'
import { agentClaim, type EnrichDeps, enrich } from '../enrich/enrich.ts'
import { createUsualHere, type UsualHere } from '../enrich/usual-here.ts'
import { type Linker, TAKEN } from '../identify/linker.ts'
import { withLateReadings } from '../ingest/ingest-body.ts'
import { uuidToText } from '../lib/uuid.ts'
import type { FollowUps } from '../observe/follow/follow-ups.ts'
import { isOwnConnection } from '../score/client/mismatch-indicators.ts'
import { openedChannel } from '../score/follow-up-channel.ts'
import { isPrivateWindow } from '../score/private-window.ts'
import { type LimitedVisit, rateLimitedVisit } from '../score/rate-limited-visit.ts'
import { type OwnRules, type Rules, withOwnWeights } from '../score/rules.ts'
import { score } from '../score/score.ts'
import { isVouchedFor } from '../score/vouched-body.ts'
import { identificationRow } from '../store/identifications/identification-row.ts'
import { snapshotOf } from '../store/identifications/snapshots.ts'
import type { StickyVerdicts } from '../store/identifications/sticky-verdicts.ts'
import { createOutageRetries, OUTAGE_RETRIES_MS, writeFailure } from '../store/outage-retries.ts'
import { withOutageError } from '../store/outages.ts'
import type { OutboxRow } from '../store/outbox/outbox.ts'
import type { Store } from '../store/store.ts'
import { countedVisit, type SubjectHashes } from '../store/velocity/subject-hashes.ts'
import type { Recorded, Scored, ScoreEntry } from './identification.ts'
import type { DeviceWrite } from './known-device.ts'
import { listSubjects } from './list-subjects.ts'
import type { Received } from './received.ts'

/** An agent that announced a follow-up channel and has not opened it by now never will. */
const CHANNEL_WITHIN_MS = 2_000

/** A version that is stored. */
interface StoredVersion {
  ver: number
  entries: readonly ScoreEntry[]
}

export interface PipelineDeps extends EnrichDeps {
  commit: Store['commit']
  /** The stored version, and the weights that new visits of the domain get; undefined once it is erased. */
  latest(visit: Scored): Promise<(StoredVersion & { ownRules: OwnRules | undefined }) | undefined>
  /** Sends the events that were committed with an identification. */
  enqueue(entries: readonly OutboxRow[]): void
  /** Finds the device, and has the change to it committed with the identification. */
  linker: Linker
  followUps: FollowUps
  /** How long follow-up checks may delay the final score. */
  followUpMs: number
  sticky: StickyVerdicts
  /** Resolves once a crawler's claim is verified; undefined when there is nothing to wait for. */
  crawlerCheck(userAgent: string, address: string): Promise<unknown> | undefined
  /** The same for the keys of an agent's operator. */
  agentCheck: Agents['settled']
  storeSnapshots: boolean
  /** Hashes what visits are counted by; undefined where they are not counted. */
  velocity?: SubjectHashes | undefined
  /** Whether events have an ID, by which a receiver recognises a repeated delivery. */
  nameEvents: boolean
  /** Runs one step, as a span when tracing is on. */
  step<Result>(name: string, work: () => Result): Result
  now(): number
  /** Resolves after this time, or at once when the signal says so. */
  pause(ms: number, signal: AbortSignal): Promise<unknown>
  warn(message: string, error: unknown): void
}

/** A visit with a ticket of its own, sealed, which nothing contradicts. */
const isSealed = ({ proof, verdict }: Scored): boolean =>
  proof?.ticket.state === 'valid' && isVouchedFor(proof) && verdict.score < BANDS.suspicious.from

/** The same with a key, which browsers have on secure origins alone. */
const isProven = (scored: Scored): boolean => scored.proof?.key.state === 'proven' && isSealed(scored)

export interface Pipeline {
  /** Resolves once the identification, scored and with its events, is on disk, or its request ID proves to be used. */
  process(
    received: Received,
    domain: Domain,
    /** Called with what was stored. */
    tell?: (scored: Scored) => void,
  ): Promise<'stored' | 'duplicate'>
  /** Records that an address went over the ingest limit. */
  mark(visit: LimitedVisit, domain: Domain): Promise<void>
  /** Notes that a browser loaded the agent's script. */
  scriptLoaded: UsualHere['scriptLoaded']
  /** Ends every follow-up with the evidence received so far. */
  close(): Promise<void>
}

/**
 * THE ORDER: enrich, identify, score, commit, and only then acknowledge. When follow-up checks report, enriching and
 * scoring run again with their evidence, and the event is sent after that.
 */
export function createPipeline(deps: PipelineDeps): Pipeline {
  const followed = new Set<Promise<void>>()
  const usual = createUsualHere(deps.now)
  const retries = createOutageRetries(deps.pause)
  let isClosing = false

  async function process(
    received: Received,
    domain: Domain,
    tell?: (scored: Scored) => void,
  ): Promise<'stored' | 'duplicate'> {
    const enriched = usual.describe(deps.step('enrich', () => enrich(received, deps)))
    const isFollowed = waitsForEvidence(received)
    const crawler = deps.crawlerCheck(received.request.userAgent, received.address)
    const agent = deps.agentCheck(agentClaim(received), enriched.agent)
    const mayChange = isFollowed || crawler !== undefined || agent !== undefined
    const rules = withOwnWeights(domain.ownRules)
    const stored = await deps.linker.link(enriched, async ({ identity, write }) => {
      const known = { ...enriched, identity }
      const identified = { ...known, lists: domain.lists.match(listSubjects(known), known.atMs) }
      const scored = deps.step('score', () =>
        score({ ...identified, sticky: deps.sticky.find(identified) }, rules),
      )
      // The final version may have to wait for the database, and its event goes out with it.
      const finalWithinMs = mayChange ? deps.followUpMs + OUTAGE_RETRIES_MS : 0
      const heldUntil = deps.now() + HOLD_MS + finalWithinMs
      const events = await store(scored, domain, heldUntil, write)
      return events === TAKEN ? TAKEN : { scored, events }
    })
    const { scored, events } = stored
    // The request ID is used: nothing was written, and there is nothing to refine.
    if (!events) return 'duplicate'
    tell?.(scored)
    if (isProven(scored)) usual.learnConnection(scored, isOwnConnection(scored))
    if (!isFollowed) learnChannel(scored)
    if (!mayChange) {
      deps.enqueue(events)
      return 'stored'
    }
    // Not before the commit: a repeated request ID waits for no checks.
    const checks = Promise.all([isFollowed ? settled(received) : undefined, crawler, agent])
    const following = followUp({ scored, rules, domain }, events, checks).catch((error) =>
      deps.warn('an identification could not be refined; its first version stands', error),
    )
    followed.add(following)
    void following.finally(() => followed.delete(following))
    return 'stored'
  }

  const waitsForEvidence = ({ followUp }: Received): boolean => followUp && deps.followUpMs > 0

  /** @param scored with what is known of its channel once it had its time to open */
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

  async function followUp(
    { scored: first, rules: given, domain }: { scored: Scored; rules: Rules; domain: Domain },
    events: OutboxRow[],
    checks: Promise<unknown>,
  ): Promise<void> {
    await checks
    const final = rescore(first, given, domain)
    if (waitsForEvidence(first) && !isClosing) learnChannel(final)
    const isPrivate = isPrivateWindow(final)
    if (isPrivate !== undefined) deps.linker.learnWindow(final.cookieId, isPrivate)
    let rules = given
    let stored: StoredVersion = { ver: first.atMs, entries: first.verdict.entries }
    const isRemembered = (): boolean => !waitsForEvidence(first) || deps.followUps.has(first.requestId)
    const keep = async (scored: Scored, held: OutboxRow[]): Promise<void> => {
      for (let next = scored; ; ) {
        const kept = await retries.run(() => refine(next, stored, held), isRemembered)
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
        next = rescore(deps.followUps.has(first.requestId) ? first : next, rules, domain)
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
          const later = rescore(first, rules, domain)
          if (openedChannel(later)) learnChannel(later)
          await keep(later, [])
        })
        .catch((error) => deps.warn('late evidence could not be stored', error))
    })
    await kept
  }

  /** Scores the visit again with the evidence known now. Its identity stays. */
  function rescore(earlier: Scored, rules: Rules, { lists }: Domain): Scored {
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

  /**
   * Stores a new version and sends its events. Returns the row's `ver`, which always grows; undefined, and nothing is
   * stored, if `earlier` is not the stored version.
   */
  async function refine(
    scored: Scored,
    earlier: StoredVersion,
    events: readonly OutboxRow[],
  ): Promise<number | undefined> {
    const nowMs = deps.now()
    const ver = Math.max(nowMs, earlier.ver + 1)
    const [first] = events
    const body =
      first &&
      scoredEvent(scored, {
        createdAtMs: nowMs,
        eventId: deps.nameEvents ? uuidToText(first.event_id) : undefined,
      })
    const sticky = deps.sticky.changeOf(scored, earlier.entries)
    const outcome = await deps.commit({
      type: 'refinement',
      row: identificationRow(scored, ver),
      earlierVer: earlier.ver,
      snapshot: snapshotFor(scored),
      outbox: events.map(({ id, due_at }) => ({
        id,
        body: body ?? new Uint8Array(),
        heldUntil: due_at,
        dueAt: nowMs + HOLD_MS,
      })),
      ...sticky,
    })
    if (outcome.type === 'failed') throw writeFailure(outcome)
    if (outcome.type === 'outdated') return undefined
    if (outcome.type === 'refined') deps.sticky.remember(scored, sticky)
    if (outcome.type === 'refined' && body)
      deps.enqueue(
        events
          .filter(({ id }) => outcome.renewed.includes(id))
          .map((entry) => ({ ...entry, body, due_at: nowMs + HOLD_MS })),
      )
    return ver
  }

  /** Commits the first version and sends its device events. Returns the others; undefined when the request ID is used. */
  async function store(
    recorded: Recorded | Scored,
    domain: Domain,
    heldUntil: number,
    device?: DeviceWrite,
  ): Promise<OutboxRow[] | undefined | typeof TAKEN> {
    const ofScore = outboxEntries(recorded, domain, heldUntil, deps)
    const ofDevice = deviceEntries(recorded, domain, deps.now() + HOLD_MS, deps.now)
    const sticky = 'body' in recorded ? deps.sticky.changeOf(recorded) : undefined
    const outcome = await deps.commit({
      type: 'identification',
      row: identificationRow(recorded),
      snapshot: 'body' in recorded ? snapshotFor(recorded) : undefined,
      outbox: [...ofScore, ...ofDevice],
      sticky: sticky?.sticky,
      device,
      isFree: 'body' in recorded && recorded.via !== 'agent',
      velocity: 'body' in recorded ? deps.velocity?.ofVisit(countedVisit(recorded)) : undefined,
    })
    if (outcome.type === 'taken') return TAKEN
    if (outcome.type === 'failed') throw writeFailure(outcome)
    if (outcome.type !== 'stored') return undefined
    if ('body' in recorded && sticky) deps.sticky.remember(recorded, sticky)
    const { outboxIds } = outcome
    deps.enqueue(ofDevice.flatMap((entry, index) => withOutboxId(entry, outboxIds[ofScore.length + index])))
    return ofScore.flatMap((entry, index) => withOutboxId(entry, outboxIds[index]))
  }

  const snapshotFor = (scored: Scored): string | undefined =>
    deps.storeSnapshots ? snapshotOf(scored) : undefined

  return {
    process: (received, domain, tell) => withOutageError(() => process(received, domain, tell)),
    async mark(visit, domain) {
      const heldUntil = deps.now() + HOLD_MS
      const lists = domain.lists.match({ address: visit.address }, visit.atMs)
      const marker = { ...rateLimitedVisit(visit), lists }
      const events = await withOutageError(() => store(marker, domain, heldUntil))
      if (events !== TAKEN) deps.enqueue(events ?? [])
    },
    scriptLoaded: usual.scriptLoaded,
    async close() {
      isClosing = true
      deps.followUps.stop()
      retries.stop()
      await Promise.all(followed)
    },
  }
}
