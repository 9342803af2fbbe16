import { presentTime } from '@inkling/contract'
import type {
  DECISION_BACK_TEST_OPERATIONS,
  DecisionBackTestReport,
  DecisionBackTest as PresentedTest,
} from '@inkling/contract/account'
import type { DecisionTest, KeptDifferences } from '../jobs/decision-back-test/decision-back-tests.ts'
import { mostChanged } from '../jobs/decision-back-test/decision-differences.ts'
import { type LabelAgreement, qualityOf } from '../jobs/decision-back-test/label-agreement.ts'
import { AppError } from '../lib/errors.ts'
import { checkCondition } from './decision-rules.ts'
import { findDomain } from './domains.ts'
import type { Handlers } from './handler.ts'

export const decisionBackTestOperations: Handlers<typeof DECISION_BACK_TEST_OPERATIONS> = {
  startDecisionBackTest: async ({ params, body }, { store, decisionBackTests }) => {
    const { id } = await findDomain(store, params.domain)
    for (const { condition } of body.rules) checkCondition(condition)
    const test = decisionBackTests.start(id, body)
    if (!test) throw new AppError('INK_BACK_TEST_RUNNING')
    return presentTest(test)
  },

  getDecisionBackTest: async ({ params }, { store, decisionBackTests }) => {
    const test = decisionBackTests.latest((await findDomain(store, params.domain)).id)
    return { back_test: test ? presentTest(test) : null }
  },

  cancelDecisionBackTest: async ({ params }, { store, decisionBackTests }) => {
    await decisionBackTests.cancel((await findDomain(store, params.domain)).id)
    return undefined
  },
}

const presentTest = ({
  request,
  state,
  startedAtMs,
  endedAtMs,
  total,
  report,
}: DecisionTest): PresentedTest => ({
  state,
  question: request,
  started_at: presentTime(startedAtMs),
  ended_at: endedAtMs === undefined ? null : presentTime(endedAtMs),
  done: report?.visits ?? 0,
  total,
  report: report ? presentReport(report) : null,
})

const presentReport = (differences: KeptDifferences): DecisionBackTestReport => ({
  visits: differences.visits,
  changed: differences.changed,
  matrix: differences.matrix,
  bands: differences.bands,
  countries: mostChanged(differences.countries).map(([country, counts]) => ({ country, ...counts })),
  accounts: {
    visits: differences.accounts,
    changed: differences.changedAccounts,
    most: differences.mostChangedAccounts.map(([account, counts]) => ({ account, ...counts })),
  },
  rules: [...differences.rules.values()],
  labels: presentLabels(differences.labels),
  samples: differences.samples.map(({ requestId, atMs, score, before, after, reasons }) => ({
    request_id: requestId,
    at: presentTime(atMs),
    ...{ score, before, after, reasons: [...reasons] },
  })),
})

const presentLabels = (agreement: LabelAgreement): DecisionBackTestReport['labels'] => ({
  fraud: agreement.fraud,
  legitimate: agreement.legitimate,
  before: presentQuality(agreement, agreement.before),
  after: presentQuality(agreement, agreement.after),
})

function presentQuality(
  agreement: LabelAgreement,
  caught: LabelAgreement['before'],
): DecisionBackTestReport['labels']['before'] {
  const { precision, recall } = qualityOf(agreement, caught)
  return {
    caught_fraud: caught.fraud,
    caught_legitimate: caught.legitimate,
    precision: precision ?? null,
    recall: recall ?? null,
  }
}
