import type { DecisionBackTestStart } from '@inkling/contract/account'
import { DAY_MS } from '../../lib/durations.ts'
import {
  type DecisionRule,
  type DecisionRules,
  decisionRuleStore,
  readDecisionRule,
} from '../../store/decision-rules/decision-rules.ts'
import { readLabels } from '../../store/labels/read-labels.ts'
import type { Store } from '../../store/store.ts'
import type { DecisionDifferences } from './decision-differences.ts'
import { runDecisionTest } from './run-decision-test.ts'
import { storedQuestions } from './stored-questions.ts'

export interface DecisionTestProgress {
  total: number
  report: DecisionDifferences
}

interface TestOptions {
  /** The visits until then. */
  untilMs: number
  onProgress(progress: DecisionTestProgress): void
  /** Leaves time to a server. */
  background?: boolean
  signal?: AbortSignal
}

/** Decides a domain's newest visits by its own rules and by those of the request. */
export async function testDecisionRules(
  store: Store,
  domainId: number,
  request: DecisionBackTestStart,
  { untilMs, onProgress, background, signal }: TestOptions,
): Promise<DecisionTestProgress> {
  const span = { domainId, sinceMs: untilMs - request.days * DAY_MS, untilMs, limit: request.visits }
  const before = await savedRules(store, domainId)
  const { total, questions } = await storedQuestions(store, span, request)
  const report = await runDecisionTest(questions, {
    before,
    after: testedRules(before, request),
    labels: await readLabels(store.jobReads, domainId),
    reaches: request.label_reach,
    caughtFrom: request.caught_from,
    onProgress: (soFar) => onProgress({ total, report: soFar }),
    ...(background && { background }),
    ...(signal && { signal }),
  })
  return { total, report }
}

/** What decides in a domain now. */
export async function savedRules({ reads }: Pick<Store, 'reads'>, domainId: number): Promise<DecisionRules> {
  const rules = decisionRuleStore(reads)
  return {
    rules: (await rules.list(domainId)).map(readDecisionRule),
    thresholds: await rules.thresholds(domainId),
  }
}

/** The rules of a test: those of the request, and with `keep` the domain's others. */
function testedRules(
  { rules, thresholds }: DecisionRules,
  request: Pick<DecisionBackTestStart, 'rules' | 'keep' | 'shadow' | 'thresholds'>,
): DecisionRules {
  const replaced = new Set(request.rules.map(({ id }) => id))
  const kept = request.keep ? rules.filter(({ id }) => !replaced.has(id)) : []
  const turnedOn = kept.map(
    (rule): DecisionRule => (request.shadow && rule.state === 'shadow' ? { ...rule, state: 'on' } : rule),
  )
  const tried = request.rules.map(
    ({ id = 0, ...text }): DecisionRule => ({ ...text, id, version: 0, state: 'on' }),
  )
  return { rules: [...turnedOn, ...tried], thresholds: request.thresholds ?? thresholds }
}
