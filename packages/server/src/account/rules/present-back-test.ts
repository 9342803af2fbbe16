import type { BackTest as PresentedBackTest } from '@inkling/contract/account'
import type { BackTest } from '../../jobs/rescore/back-tests.ts'
import type { Differences } from '../../jobs/rescore/differences.ts'
import { presentTime } from '../present-time.ts'

export const presentBackTest = (test: BackTest): PresentedBackTest => ({
  state: test.state,
  weights: test.weights,
  days: test.days,
  started_at: presentTime(test.startedAtMs),
  done: test.done,
  total: test.total,
  report: test.report ? presentDifferences(test.report) : null,
})

const presentDifferences = ({
  identifications,
  changed,
  matrix,
  signals,
  samples,
}: Differences): NonNullable<PresentedBackTest['report']> => ({
  identifications,
  changed,
  matrix,
  signals: [...signals]
    .filter(([, { before, after }]) => before.points !== after.points)
    .map(([name, sides]) => ({ name, ...sides })),
  samples: samples.map(({ requestId, atMs, score }) => ({
    request_id: requestId,
    at: presentTime(atMs),
    score,
  })),
})
