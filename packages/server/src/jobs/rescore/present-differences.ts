import { presentTime } from '@inkling/contract'
import type { BackTestReport } from '@inkling/contract/account'
import type { Differences } from './differences.ts'

export const presentDifferences = ({
  identifications,
  changed,
  matrix,
  signals,
  samples,
}: Differences): BackTestReport => ({
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
