import type { OwnWeights } from '@inkling/contract'
import type { IpFacts } from '../../enrich/ip/ip-facts.ts'
import { withOwnWeights } from '../../score/with-own-weights.ts'
import type { DomainRow } from '../../store/domains.ts'
import type { Store } from '../../store/store.ts'
import type { Differences } from './differences.ts'
import { rescore } from './rescore.ts'
import { newestVisits } from './stored-visits.ts'

export interface BackTestRequest {
  weights: OwnWeights
  /** How far back it looks. */
  days: number
  /** The newest so many visits of these days. */
  visits: number
}

/** How a trial of weights on stored visits does. */
export interface BackTest extends BackTestRequest {
  state: 'running' | 'done' | 'cancelled' | 'failed'
  startedAtMs: number
  /** Visits that were scored again so far. */
  done: number
  total: number
  report: Differences | undefined
}

/** Back-tests of this process: one at a time for each domain, the latest of each remembered. */
export interface BackTests {
  /** Undefined while another one of the domain is running. */
  start(domain: DomainRow, request: BackTestRequest): BackTest | undefined
  latest(domainId: number): BackTest | undefined
  /** Resolves when none of the domain is running any more. */
  cancel(domainId: number): Promise<void>
  /** Ends them all. */
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

const DAY_MS = 86_400_000

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
        commit: undefined,
        now: deps.now,
        onVisit: (done) => {
          test.done = done
        },
        gently: true,
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
