import { presentTime } from '@inkling/contract'
import type { DecisionBackTestReport } from '@inkling/contract/account'
import { type DecisionDifferences, mostChanged } from './decision-differences.ts'
import { type LabelAgreement, qualityOf } from './label-agreement.ts'

/** @param isDone accounts are sorted once, in the end: there may be hundreds of thousands of them */
export const presentReport = (differences: DecisionDifferences, isDone: boolean): DecisionBackTestReport => ({
  visits: differences.visits,
  changed: differences.changed,
  matrix: differences.matrix,
  bands: differences.bands,
  countries: mostChanged(differences.countries).map(([country, counts]) => ({ country, ...counts })),
  accounts: {
    visits: differences.accounts.size,
    changed: differences.changedAccounts,
    most: isDone
      ? mostChanged(differences.accounts).map(([account, counts]) => ({ account, ...counts }))
      : [],
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
