import type { Domain } from '../auth/directory.ts'
import { HOLD_MS } from '../deliver/dispatcher.ts'
import type { Agents } from '../enrich/agents/identify-agent.ts'
import { agentClaim, enrich } from '../enrich/enrich.ts'
import { createUsualHere, type UsualHere } from '../enrich/usual-here.ts'
import { TAKEN } from '../identify/linker.ts'
import { isOwnConnection } from '../score/client/mismatch-indicators.ts'
import { type LimitedVisit, rateLimitedVisit } from '../score/rate-limited-visit.ts'
import { withOwnWeights } from '../score/rules.ts'
import { score } from '../score/score.ts'
import { OUTAGE_RETRIES_MS } from '../store/outage-retries.ts'
import { withOutageError } from '../store/outages.ts'
import type { Scored } from './identification.ts'
import { listSubjects } from './list-subjects.ts'
import type { Received } from './received.ts'
import { createRefinements, isSealed, type RefinementDeps } from './refinements.ts'
import { createVersions, type VersionDeps } from './versions.ts'

export interface PipelineDeps extends RefinementDeps, VersionDeps {
  /** Resolves once a crawler's claim is verified; undefined when there is nothing to wait for. */
  crawlerCheck(userAgent: string, address: string): Promise<unknown> | undefined
  /** The same for the keys of an agent's operator. */
  agentCheck: Agents['settled']
  /** Runs one step, as a span when tracing is on. */
  step<Result>(name: string, work: () => Result): Result
}

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

/** A sealed visit with a key, which browsers have on secure origins alone. */
const isProven = (scored: Scored): boolean => scored.proof?.key.state === 'proven' && isSealed(scored)

/**
 * THE ORDER: enrich, identify, score, commit, and only then acknowledge. When follow-up checks report, enriching and
 * scoring run again with their evidence, and the event is sent after that.
 */
export function createPipeline(deps: PipelineDeps): Pipeline {
  const usual = createUsualHere(deps.now)
  const versions = createVersions(deps)
  const refinements = createRefinements(deps, versions, usual)

  async function process(
    received: Received,
    domain: Domain,
    tell?: (scored: Scored) => void,
  ): Promise<'stored' | 'duplicate'> {
    const enriched = usual.describe(deps.step('enrich', () => enrich(received, deps)))
    const isFollowed = refinements.waitsFor(received)
    const crawler = deps.crawlerCheck(received.request.userAgent, received.address)
    const agent = deps.agentCheck(agentClaim(received), enriched.agent)
    const mayChange = isFollowed || crawler !== undefined || agent !== undefined
    const rules = withOwnWeights(domain.ownRules)
    const { scored, events } = await deps.linker.link(enriched, async ({ identity, write }) => {
      const known = { ...enriched, identity }
      const identified = { ...known, lists: domain.lists.match(listSubjects(known), known.atMs) }
      const scored = deps.step('score', () =>
        score({ ...identified, sticky: deps.sticky.find(identified) }, rules),
      )
      // The final version may have to wait for the database, and its event goes out with it.
      const finalWithinMs = mayChange ? deps.followUpMs + OUTAGE_RETRIES_MS : 0
      const heldUntil = deps.now() + HOLD_MS + finalWithinMs
      const events = await versions.first(scored, domain, heldUntil, write)
      return events === TAKEN ? TAKEN : { scored, events }
    })
    // The request ID is used: nothing was written, and there is nothing to refine.
    if (!events) return 'duplicate'
    tell?.(scored)
    if (isProven(scored)) usual.learnConnection(scored, isOwnConnection(scored))
    if (!isFollowed) refinements.learnChannel(scored)
    // Not before the commit: a repeated request ID waits for no checks.
    if (mayChange) refinements.start({ scored, rules, domain, events }, [crawler, agent])
    else deps.enqueue(events)
    return 'stored'
  }

  async function mark(visit: LimitedVisit, domain: Domain): Promise<void> {
    const heldUntil = deps.now() + HOLD_MS
    const lists = domain.lists.match({ address: visit.address }, visit.atMs)
    const events = await versions.first({ ...rateLimitedVisit(visit), lists }, domain, heldUntil)
    if (events !== TAKEN) deps.enqueue(events ?? [])
  }

  return {
    process: (received, domain, tell) => withOutageError(() => process(received, domain, tell)),
    mark: (visit, domain) => withOutageError(() => mark(visit, domain)),
    scriptLoaded: usual.scriptLoaded,
    close: refinements.close,
  }
}
