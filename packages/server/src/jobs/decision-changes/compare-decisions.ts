import { randomUUID } from 'node:crypto'
import { ChangedDecision, DecideAnswer, type DecisionAction } from '@inkling/contract'
import type { Kysely } from 'kysely'
import { type AwaitedVisit, findVisit } from '../../decide/awaited-visit.ts'
import { decide } from '../../decide/decide.ts'
import { type DecisionFacts, type DecisionQuestion, factsOf } from '../../decide/decision-facts.ts'
import { ruleSetOf } from '../../decide/rule-set.ts'
import { decisionEvent, eventTime } from '../../deliver/webhook-events.ts'
import { uuidBytesOrNil, uuidToText } from '../../lib/uuid.ts'
import { noteChangedDecision } from '../../store/change-feed/late-changes.ts'
import type { DecisionRules } from '../../store/decision-rules/decision-rules.ts'
import { type DecisionRow, decisionStore } from '../../store/decisions/decisions.ts'
import type { Schema } from '../../store/schema.ts'
import type { Store } from '../../store/store.ts'

interface DecidingDomain {
  id: number
  name: string
  decisionRules: DecisionRules
}

interface CompareDeps {
  store: Pick<Store, 'jobReads' | 'writes'>
  directory: { byId(id: number): DecidingDomain | undefined }
  now(): number
  warn(message: string, error: unknown): void
}

/** Decisions of one run; the rest waits for the next one. */
const RUN_MAX = 200

/**
 * Decides again about visits of which more is known than when they were decided about. Where the action would be another
 * one, that is stored beside the answer, and those who subscribed are told. On several nodes the one that writes first
 * tells.
 * @returns whether there may be more
 */
export async function compareDecisions(deps: CompareDeps): Promise<boolean> {
  const stale = await decisionStore(deps.store.jobReads).stale(RUN_MAX)
  let compared = 0
  for (const decision of stale) {
    const domain = deps.directory.byId(decision.domain_id)
    // One that was enabled a moment ago is compared in the next run.
    if (!domain) continue
    await compare(deps, domain, decision)
    compared += 1
  }
  return stale.length === RUN_MAX && compared > 0
}

async function compare(
  { store, now, warn }: CompareDeps,
  domain: DecidingDomain,
  decision: DecisionRow,
): Promise<void> {
  const atMs = now()
  const visit = await findVisit(store.jobReads, domain.id, decision.request_id)
  const stored = visit && readStored(visit, decision, warn)
  const changed = stored && changeOf(domain, stored, atMs)
  if (!changed) {
    await decisionStore(store.writes).compared(decision, decision.later)
    return
  }
  await store.writes.transaction().execute(async (transaction) => {
    const isFirst = await decisionStore(transaction).compared(decision, JSON.stringify(changed))
    if (!isFirst) return
    await noteChangedDecision(transaction, decision, changed.ver)
    await enqueueEvents(transaction, { domain, decision, stored, changed, atMs })
  })
}

/** What is compared, read from what is stored. */
interface Stored {
  decisionId: string
  /** Of the latest change, or else of the answer. */
  action: DecisionAction
  facts: DecisionFacts
  ver: number
}

/**
 * Undefined for a decision or a visit that is damaged, or that a later release has written: it must not hold up the
 * decisions after it.
 */
function readStored(
  visit: AwaitedVisit,
  decision: DecisionRow,
  warn: CompareDeps['warn'],
): Stored | undefined {
  try {
    return {
      decisionId: DecisionId.parse(JSON.parse(decision.answer)).decision_id,
      action: latestAction(decision),
      facts: factsOf(visit, JSON.parse(decision.question) as DecisionQuestion),
      ver: visit.ver,
    }
  } catch (error) {
    warn(`decision ${decision.id} cannot be read, so it was not compared with late evidence`, error)
    return undefined
  }
}

const DecisionId = DecideAnswer.pick({ decision_id: true })

const latestAction = ({ action, later }: DecisionRow): DecisionAction =>
  later === null ? action : ChangedDecision.parse(JSON.parse(later)).action

/** What it would be now; undefined if that is the same action. */
function changeOf(domain: DecidingDomain, stored: Stored, atMs: number): ChangedDecision | undefined {
  const { facts, ver } = stored
  const { action, reasons, points, met, failed } = decide(ruleSetOf(domain.decisionRules), facts)
  if (action === stored.action) return undefined
  const { score, band } = facts
  const changed_at = eventTime(atMs)
  return { action, reasons, points, rules: met, failed_rules: failed, score, band, ver, changed_at }
}

interface Change {
  domain: DecidingDomain
  decision: DecisionRow
  stored: Stored
  changed: ChangedDecision
  atMs: number
}

/** An event for each endpoint that subscribed, in the transaction that stores the change. */
async function enqueueEvents(
  transaction: Kysely<Schema>,
  { domain, decision, stored, changed, atMs }: Change,
): Promise<void> {
  const endpoints = await transaction
    .selectFrom('endpoints')
    .select('id')
    .where('domain_id', '=', domain.id)
    .where('enabled', '=', 1)
    .where('decision_events', '=', 1)
    .execute()
  if (endpoints.length === 0) return
  const eventId = randomUUID()
  const body = decisionEvent(
    {
      decision_id: stored.decisionId,
      request_id: uuidToText(decision.request_id),
      domain: domain.name,
      purpose: decision.purpose,
      answered_action: decision.action,
      previous_action: stored.action,
      action: changed.action,
      reasons: changed.reasons,
      score: changed.score,
      ver: changed.ver,
      decided_at: eventTime(decision.decided_at),
    },
    { eventId, createdAtMs: atMs },
  )
  await transaction
    .insertInto('outbox')
    .values(
      endpoints.map(({ id }) => ({
        domain_id: domain.id,
        endpoint_id: id,
        // So that it goes with its visit.
        request_id: decision.request_id,
        event_id: uuidBytesOrNil(eventId),
        body,
        attempts: 0,
        // Due at once, so the next sweep of any process claims it.
        due_at: atMs,
      })),
    )
    .execute()
}
