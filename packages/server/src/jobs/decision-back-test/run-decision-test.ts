import { setImmediate, setTimeout } from 'node:timers/promises'
import { DECISION_ACTIONS, type DecisionAction, type LabelReach } from '@inkling/contract'
import { decide } from '../../decide/decide.ts'
import { factsOf } from '../../decide/decision-facts.ts'
import { type RuleSet, ruleSetOf } from '../../decide/rule-set.ts'
import type { DecisionRules } from '../../store/decision-rules/decision-rules.ts'
import type { DomainLabels } from '../../store/labels/labels-of.ts'
import { addDecision, type DecisionDifferences, noDifferences } from './decision-differences.ts'
import { addLabelled } from './label-agreement.ts'
import type { StoredQuestion } from './stored-questions.ts'

export interface DecisionTestOptions {
  /** What decides now. */
  before: DecisionRules
  /** What is tested. */
  after: DecisionRules
  labels: DomainLabels
  reaches: readonly LabelReach[]
  /** The weakest action that counts as a catch. */
  caughtFrom: DecisionAction
  /** Called as it goes, with the report so far. */
  onProgress?(differences: DecisionDifferences): void
  /** Sleeps for half as long as it works, so that a server keeps answering. */
  background?: boolean
  signal?: AbortSignal
}

/** Work without a pause; requests to this process wait for as long. */
const TURN_MS = 4

/**
 * Asks stored questions again, by the code that answers the customer's backend.
 * @throws when `signal` aborts
 */
export async function runDecisionTest(
  questions: AsyncIterable<readonly StoredQuestion[]>,
  { onProgress, background = false, signal, ...options }: DecisionTestOptions,
): Promise<DecisionDifferences> {
  const sets = { before: ruleSetOf(options.before), after: ruleSetOf(options.after) }
  const differences = noDifferences(sets.after.rules)
  for await (const batch of questions) {
    let turnStartedMs = performance.now()
    for (const question of batch) {
      compare(differences, question, sets, options)
      if (performance.now() - turnStartedMs < TURN_MS) continue
      signal?.throwIfAborted()
      await (background ? setTimeout(1) : setImmediate())
      turnStartedMs = performance.now()
    }
    signal?.throwIfAborted()
    onProgress?.(differences)
  }
  return differences
}

type Compared = Pick<DecisionTestOptions, 'labels' | 'reaches' | 'caughtFrom'>

function compare(
  differences: DecisionDifferences,
  { row, question, answered }: StoredQuestion,
  sets: { before: RuleSet; after: RuleSet },
  { labels, reaches, caughtFrom }: Compared,
): void {
  const facts = factsOf(row, question)
  const before = answered ?? decide(sets.before, facts).action
  const after = decide(sets.after, facts)
  addDecision(differences, { requestId: row.request_id, atMs: row.created_at, facts, before, after })
  const label = labels.verdictOf(row, reaches)
  const isCatch = (action: DecisionAction): boolean =>
    DECISION_ACTIONS.indexOf(action) >= DECISION_ACTIONS.indexOf(caughtFrom)
  if (label) addLabelled(differences.labels, label, { before: isCatch(before), after: isCatch(after.action) })
}
