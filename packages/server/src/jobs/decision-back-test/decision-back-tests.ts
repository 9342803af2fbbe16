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

/** A trial of other rules on stored visits, and its progress. */
export interface DecisionTest {
  request: DecisionBackTestStart
  state: 'running' | 'done' | 'cancelled' | 'failed'
  startedAtMs: number
  endedAtMs: number | undefined
  total: number
  /** So far, while it runs. */
  report: DecisionDifferences | undefined
}

/** The back-tests of rules in this process. Each domain runs one at a time and keeps the latest. */
export interface DecisionBackTests {
  /** Undefined while the domain is running another one. */
  start(domainId: number, request: DecisionBackTestStart): DecisionTest | undefined
  latest(domainId: number): DecisionTest | undefined
  /** Resolves when the domain's back-test has stopped. */
  cancel(domainId: number): Promise<void>
  /** Cancels all of them. */
  close(): Promise<void>
}

export interface DecisionBackTestDeps {
  store: Store
  now(): number
  warn(message: string, error: unknown): void
}

interface Run {
  test: DecisionTest
  stop: AbortController
  ended: Promise<void>
}

export function createDecisionBackTests(deps: DecisionBackTestDeps): DecisionBackTests {
  const runs = new Map<number, Run>()

  async function run(domainId: number, test: DecisionTest, signal: AbortSignal): Promise<void> {
    try {
      test.report = await decideAgain(deps.store, domainId, test, signal)
      test.state = 'done'
    } catch (error) {
      test.state = signal.aborted ? 'cancelled' : 'failed'
      if (test.state === 'failed') deps.warn('a back-test of rules failed', error)
    }
    test.endedAtMs = deps.now()
  }

  async function cancel(domainId: number): Promise<void> {
    const known = runs.get(domainId)
    known?.stop.abort()
    await known?.ended
  }

  return {
    start(domainId, request) {
      if (runs.get(domainId)?.test.state === 'running') return undefined
      const test: DecisionTest = {
        ...{ request, state: 'running', startedAtMs: deps.now(), endedAtMs: undefined },
        ...{ total: 0, report: undefined },
      }
      const stop = new AbortController()
      runs.set(domainId, { test, stop, ended: run(domainId, test, stop.signal) })
      return test
    },
    latest: (domainId) => runs.get(domainId)?.test,
    cancel,
    async close() {
      await Promise.all([...runs.keys()].map(cancel))
    },
  }
}

async function decideAgain(
  store: Store,
  domainId: number,
  test: DecisionTest,
  signal: AbortSignal,
): Promise<DecisionDifferences> {
  const { request, startedAtMs } = test
  const span = {
    domainId,
    sinceMs: startedAtMs - request.days * DAY_MS,
    untilMs: startedAtMs,
    limit: request.visits,
  }
  const before = await savedRules(store, domainId)
  const { total, questions } = await storedQuestions(store, span, request)
  test.total = total
  return runDecisionTest(questions, {
    before,
    after: testedRules(before, request),
    labels: await readLabels(store.jobReads, domainId),
    reaches: request.label_reach,
    caughtFrom: request.caught_from,
    onProgress: (differences) => {
      test.report = differences
    },
    background: true,
    signal,
  })
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
