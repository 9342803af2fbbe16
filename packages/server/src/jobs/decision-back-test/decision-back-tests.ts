import { DecisionBackTest, type DecisionBackTestStart } from '@inkling/contract/account'
import type { z } from 'zod'
import { type BackTestDeps, type BackTests, createBackTests } from '../back-tests/back-tests.ts'
import { presentReport } from './present-report.ts'
import { type DecisionTestProgress, testDecisionRules } from './test-decision-rules.ts'

const Body = DecisionBackTest.omit({ state: true, error: true, started_at: true, ended_at: true })

/** Trials of other rules on stored visits. */
export type DecisionBackTests = BackTests<{ id: number }, DecisionBackTestStart, z.infer<typeof Body>>

export const createDecisionBackTests = (deps: BackTestDeps): DecisionBackTests =>
  createBackTests(deps, {
    name: 'decisions',
    body: Body,
    first: (question) => ({ question, done: 0, total: 0, report: null }),
    async run({ id }, question, { startedAtMs, signal, onProgress }) {
      const found = ({ total, report }: DecisionTestProgress, isDone: boolean) => ({
        ...{ question, done: report.visits, total },
        report: presentReport(report, isDone),
      })
      const done = await testDecisionRules(deps.store, id, question, {
        ...{ untilMs: startedAtMs, background: true, signal },
        onProgress: (progress) => onProgress(() => found(progress, false)),
      })
      return found(done, true)
    },
  })
