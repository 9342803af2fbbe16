import { DecideAnswer } from '@inkling/contract'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { uuidToText } from '../../lib/uuid.ts'
import { type AlertRuleRow, alertRuleStore, conditionOf, isSame } from '../../store/alerts/alert-rules.ts'
import { type NewAlertEvent, recordAlertEvents, unknownEvents } from '../../store/alerts/record-events.ts'
import type { DecisionRow } from '../../store/decisions/decisions.ts'
import { nextDecisions } from '../../store/decisions/next-decisions.ts'
import { domainStore } from '../../store/domains/domains.ts'
import { newestNumber } from '../../store/identifications/id-range.ts'
import type { Schema } from '../../store/schema.ts'
import type { Store } from '../../store/store.ts'

/** Of a page, and of a transaction. */
const ROWS_MAX = 200
/** How far the position may stay behind while no rule watches decisions. */
const IDLE_MAX = 1_000

interface DecisionAlertOptions {
  nowMs: number
  warn(message: string, error: unknown): void
  stopped?: () => boolean
}

/**
 * Tells the alert rules of decisions that are stored already, so that no answer waits for an alert. It continues after
 * a restart where it was.
 */
export async function recordDecisionAlerts(
  store: Pick<Store, 'engine' | 'jobReads' | 'writes' | 'areCommitsEnded'>,
  { nowMs, warn, stopped = () => false }: DecisionAlertOptions,
): Promise<void> {
  const { jobReads, writes } = store
  const rules = Map.groupBy(await alertRuleStore(jobReads).watching('decision'), ({ domain_id }) => domain_id)
  const cursor = await jobReads.selectFrom('alert_cursor').select('decision_id').executeTakeFirst()
  const began = cursor?.decision_id ?? 0
  if (rules.size === 0) {
    const newest = await newestNumber(jobReads, 'decisions')
    if (Math.abs(newest - began) > IDLE_MAX) await move(writes, newest)
    return
  }
  const needsAnswers = [...rules.values()].flat().some(needsAnswer)
  const next = await nextDecisions(store, began, nowMs)
  if (!next) return
  for (let { after } = next; !stopped(); ) {
    const rows = await readPage(jobReads, after, needsAnswers)
    for (const [domainId, decisions] of Map.groupBy(rows, ({ domain_id }) => domain_id))
      await tellRules({ jobReads, writes }, rules.get(domainId) ?? [], decisions, { nowMs, warn })
    next.settle(rows)
    after = rows.at(-1)?.id ?? after
    if (rows.length < ROWS_MAX) break
  }
  if (next.settled !== began) await move(writes, next.settled)
}

const move = (writes: Kysely<Schema>, decisionId: number): Promise<unknown> =>
  writes.updateTable('alert_cursor').set({ decision_id: decisionId }).execute()

const COLUMNS = ['id', 'domain_id', 'request_id', 'purpose', 'action', 'account', 'decided_at'] as const
type Decision = Pick<DecisionRow, (typeof COLUMNS)[number]> & Partial<Pick<DecisionRow, 'answer'>>

/** Answers take kilobytes, so they are read only where a rule asks which decision rule met. */
async function readPage(db: Kysely<Schema>, after: number, needsAnswers: boolean): Promise<Decision[]> {
  const page = db
    .selectFrom('decisions')
    .select(COLUMNS)
    .where('id', '>', after)
    .orderBy('id')
    .limit(ROWS_MAX)
  return needsAnswers ? page.select('answer').execute() : page.execute()
}

function needsAnswer(rule: AlertRuleRow): boolean {
  const when = conditionOf(rule)
  return when.source === 'decision' && when.rule_id !== undefined
}

async function tellRules(
  { jobReads, writes }: Pick<Store, 'jobReads' | 'writes'>,
  rules: readonly AlertRuleRow[],
  decisions: readonly Decision[],
  { nowMs, warn }: DecisionAlertOptions,
): Promise<void> {
  for (const rule of rules) {
    const keyed = decisions.map((decision) => ({ ...decision, key: keyOf(decision) }))
    const unknown = await unknownEvents(jobReads, rule, keyed)
    const matching = unknown.filter((decision) => matches(rule, decision, warn))
    if (matching.length === 0) continue
    await writes.transaction().execute(async (transaction) => {
      // Both may be gone since they were read, or the rule may watch something else.
      const present = await stillThere(transaction, rule.domain_id, matching)
      const current = await alertRuleStore(transaction).find(rule.domain_id, rule.id)
      const domain = await domainStore(transaction).findById(rule.domain_id)
      if (!current || !domain || !isSame(current, rule)) return
      const events = present.map((decision) => eventOf(decision, domain.name))
      await recordAlertEvents(transaction, current, events, nowMs)
    })
  }
}

function matches(
  rule: AlertRuleRow,
  { id, action, decided_at, answer = '' }: Decision,
  warn: DecisionAlertOptions['warn'],
): boolean {
  const when = conditionOf(rule)
  if (when.source !== 'decision' || decided_at < rule.watched_since) return false
  if (when.action !== undefined && when.action !== action) return false
  if (when.rule_id === undefined) return true
  try {
    return METS.parse(JSON.parse(answer)).rules.some((met) => met.rule === when.rule_id)
  } catch (error) {
    // It must not hold up the decisions after it.
    warn(`decision ${id} cannot be read, so no alert was sent about it`, error)
    return false
  }
}

const METS = z.object({ rules: z.array(DecideAnswer.shape.rules.element.pick({ rule: true })) })

async function stillThere(
  transaction: Kysely<Schema>,
  domainId: number,
  decisions: readonly Decision[],
): Promise<Decision[]> {
  const rows = await transaction
    .selectFrom('decisions')
    .select(['id', 'decided_at'])
    .where('domain_id', '=', domainId)
    .where(
      'id',
      'in',
      decisions.map(({ id }) => id),
    )
    .execute()
  const times = new Map(rows.map(({ id, decided_at }) => [id, decided_at]))
  return decisions.filter(({ id, decided_at }) => times.get(id) === decided_at)
}

/** A visit answers a purpose once, while numbers of erased decisions return. */
const keyOf = ({ request_id, purpose }: Pick<Decision, 'request_id' | 'purpose'>): string =>
  `decision:${uuidToText(request_id)}:${purpose}`

function eventOf(
  { id, request_id, purpose, action, account, decided_at }: Decision,
  domain: string,
): NewAlertEvent {
  const requestId = uuidToText(request_id)
  return {
    key: keyOf({ request_id, purpose }),
    atMs: decided_at,
    requestId: request_id,
    reference: `decision:${id}`,
    text: `${action} at ${purpose}${account === null ? '' : ` (account ${account})`}`,
    path: `/d/${domain}/identifications/${requestId}`,
  }
}
