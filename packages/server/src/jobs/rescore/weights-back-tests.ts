import type { OwnWeights } from '@inkling/contract'
import { BackTest } from '@inkling/contract/account'
import type { z } from 'zod'
import type { IpFacts } from '../../enrich/ip/ip-facts.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { withOwnWeights } from '../../score/rules.ts'
import type { DomainRow } from '../../store/domains/domains.ts'
import { type BackTestDeps, type BackTests, createBackTests } from '../back-tests/back-tests.ts'
import { presentDifferences } from './present-differences.ts'
import { rescore } from './rescore.ts'
import { newestVisits } from './stored-visits.ts'

export interface WeightsTestRequest {
  weights: OwnWeights
  /** How many days back it looks. */
  days: number
  /** How many of the newest visits in that time to score. */
  visits: number
}

const Body = BackTest.omit({ state: true, error: true, started_at: true })

/** Trials of other weights on stored visits. */
export type WeightsBackTests = BackTests<DomainRow, WeightsTestRequest, z.infer<typeof Body>>

interface WeightsTestDeps extends BackTestDeps {
  lookUpIp(address: string): IpFacts
}

export const createWeightsBackTests = ({ lookUpIp, ...deps }: WeightsTestDeps): WeightsBackTests =>
  createBackTests(deps, {
    name: 'weights',
    body: Body,
    first: ({ weights, days }) => ({ weights, days, done: 0, total: 0, report: null }),
    async run(domain, { weights, days, visits: limit }, { startedAtMs, signal, onProgress }) {
      const span = { sinceMs: startedAtMs - days * DAY_MS, untilMs: startedAtMs, limit }
      const { total, visits } = await newestVisits(deps.store, domain, span, lookUpIp)
      const soFar = (done: number) => ({ weights, days, done, total, report: null })
      onProgress(() => soFar(0))
      const differences = await rescore(visits, {
        rules: withOwnWeights({ version: 'file', weights }),
        writer: undefined,
        onVisit: (done) => onProgress(() => soFar(done)),
        background: true,
        signal,
      })
      return { ...soFar(differences.identifications), report: presentDifferences(differences) }
    },
  })
