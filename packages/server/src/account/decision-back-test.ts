import { presentTime } from '@inkling/contract'
import type {
  DECISION_BACK_TEST_OPERATIONS,
  DecisionBackTest as PresentedTest,
} from '@inkling/contract/account'
import type { DecisionBackTests } from '../jobs/decision-back-test/decision-back-tests.ts'
import { AppError } from '../lib/errors.ts'
import { checkCondition } from './decision-rules.ts'
import { findDomain } from './domains.ts'
import type { Handlers } from './handler.ts'

export const decisionBackTestOperations: Handlers<typeof DECISION_BACK_TEST_OPERATIONS> = {
  startDecisionBackTest: async ({ params, body }, { store, decisionBackTests }) => {
    const domain = await findDomain(store, params.domain)
    for (const { condition } of body.rules) checkCondition(condition)
    const test = await decisionBackTests.start(domain, body)
    if (!test) throw new AppError('INK_BACK_TEST_RUNNING')
    return presentTest(test)
  },

  getDecisionBackTest: async ({ params }, { store, decisionBackTests }) => {
    const test = await decisionBackTests.latest((await findDomain(store, params.domain)).id)
    return { back_test: test ? presentTest(test) : null }
  },

  cancelDecisionBackTest: async ({ params }, { store, decisionBackTests }) => {
    await decisionBackTests.cancel((await findDomain(store, params.domain)).id)
    return undefined
  },
}

type DecisionTest = NonNullable<Awaited<ReturnType<DecisionBackTests['latest']>>>

const presentTest = ({ state, error, startedAtMs, endedAtMs, body }: DecisionTest): PresentedTest => ({
  ...body,
  state,
  error,
  started_at: presentTime(startedAtMs),
  ended_at: endedAtMs === null ? null : presentTime(endedAtMs),
})
