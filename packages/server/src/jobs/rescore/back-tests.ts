import type { OwnWeights } from '@inkling/contract'
import type { IpFacts } from '../../enrich/ip/ip-facts.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { withOwnWeights } from '../../score/rules.ts'
import type { DomainRow } from '../../store/domains/domains.ts'
import type { Store } from '../../store/store.ts'
import type { Differences } from './differences.ts'
import { rescore } from './rescore.ts'
import { newestVisits } from './stored-visits.ts'

export interface BackTestRequest {
  weights: OwnWeights
  /** How many days back it looks. */
  days: number
  /** How many of the newest visits in that time to score. */
  visits: number
}

/** A trial of other weights on stored visits, and its progress. */
export interface BackTest extends BackTestRequest {
  state: 'running' | 'done' | 'cancelled' | 'failed'
  startedAtMs: number
  /** Visits scored so far. */
  done: number
  total: number
  report: Differences | undefined
}

/** The back-tests of this process. Each domain runs one at a time and keeps the latest. */
export interface BackTests {
  /** Undefined while the domain is running another one. */
  start(domain: DomainRow, request: BackTestRequest): BackTest | undefined
  latest(domainId: number): BackTest | undefined
  /** Resolves when the domain's back-test has stopped. */
  cancel(domainId: number): Promise<void>
  /** Cancels all of them. */
  close(): Promise<void>
}

export interface BackTestDeps {
  store: Store
  lookUpIp(address: string): IpFacts
  now(): number
  warn(message: string, error: unknown): void
}

interface Run {
  test: BackTest
  stop: AbortController
  ended: Promise<void>
}

export function createBackTests(deps: BackTestDeps): BackTests {
  const runs = new Map<number, Run>()

  async function run({ test, stop }: Pick<Run, 'test' | 'stop'>, domain: DomainRow): Promise<void> {
    try {
      const span = {
        sinceMs: test.startedAtMs - test.days * DAY_MS,
        untilMs: test.startedAtMs,
        limit: test.visits,
      }
      const { total, visits } = await newestVisits(deps.store, domain, span, deps.lookUpIp)
      test.total = total
      test.report = await rescore(visits, {
        rules: withOwnWeights({ version: 'file', weights: test.weights }),
        writer: undefined,
        onVisit: (done) => {
          test.done = done
        },
        background: true,
        signal: stop.signal,
      })
      test.state = 'done'
    } catch (error) {
      test.state = stop.signal.aborted ? 'cancelled' : 'failed'
      if (test.state === 'failed') deps.warn('a back-test failed', error)
    }
  }

  async function cancel(domainId: number): Promise<void> {
    const known = runs.get(domainId)
    known?.stop.abort()
    await known?.ended
  }

  return {
    start(domain, request) {
      if (runs.get(domain.id)?.test.state === 'running') return undefined
      const test: BackTest = {
        ...request,
        state: 'running',
        startedAtMs: deps.now(),
        done: 0,
        total: 0,
        report: undefined,
      }
      const stop = new AbortController()
      runs.set(domain.id, { test, stop, ended: run({ test, stop }, domain) })
      return test
    },
    latest: (domainId) => runs.get(domainId)?.test,
    cancel,
    async close() {
      await Promise.all([...runs.keys()].map(cancel))
    },
  }
}
