import type { DecisionBackTestStart } from '@inkling/contract/account'
import type { Store } from '../../store/store.ts'
import { type DecisionDifferences, mostChanged } from './decision-differences.ts'
import { type DecisionTestProgress, testDecisionRules } from './test-decision-rules.ts'

/** Hundreds of thousands of accounts are more than a process keeps for each domain. */
export interface KeptDifferences extends Omit<DecisionDifferences, 'accounts'> {
  accounts: number
  /** Empty until the test is done. */
  mostChangedAccounts: ReturnType<typeof mostChanged<string>>
}

/** A trial of other rules on stored visits, and its progress. */
export interface DecisionTest {
  request: DecisionBackTestStart
  state: 'running' | 'done' | 'cancelled' | 'failed'
  startedAtMs: number
  endedAtMs: number | undefined
  total: number
  /** So far, while it runs. */
  report: KeptDifferences | undefined
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
    const keep = ({ total, report }: DecisionTestProgress, most: KeptDifferences['mostChangedAccounts']) => {
      const { accounts, ...others } = report
      test.total = total
      test.report = { ...others, accounts: accounts.size, mostChangedAccounts: most }
    }
    try {
      const done = await testDecisionRules(deps.store, domainId, test.request, {
        ...{ untilMs: test.startedAtMs, background: true, signal },
        onProgress: (progress) => keep(progress, []),
      })
      keep(done, mostChanged(done.report.accounts))
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
