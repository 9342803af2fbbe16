import { z } from 'zod'
import { SIGNAL_CATALOGUE, type SignalName } from './signals.ts'

/** The greatest own weight of any signal; a score is never above it. */
const WEIGHT_MAX = 100
/** A point less than the band of suspicious visits begins with. */
const MINOR_MAX = 29

const NAMES = Object.keys(SIGNAL_CATALOGUE) as SignalName[]

/**
 * Signals whose weight is a domain's to choose. A correction takes back what its signal adds, so its weight follows
 * from that one.
 */
export const TUNABLE_SIGNALS = NAMES.filter((name) => SIGNAL_CATALOGUE[name].weight >= 0) as [
  SignalName,
  ...SignalName[],
]

/**
 * The most that a domain may let a signal weigh. One that makes nobody suspicious by itself under the release's
 * weights has too many innocent causes to do so under any others.
 */
export const ownWeightMax = (name: SignalName): number =>
  SIGNAL_CATALOGUE[name].weight > MINOR_MAX ? WEIGHT_MAX : MINOR_MAX

/** Weights of a domain's own; signals that are left out keep the release's, 0 turns one off. */
export const OwnWeights = z
  .strictObject(
    Object.fromEntries(
      TUNABLE_SIGNALS.map((name) => [
        name,
        z.int().min(0).max(ownWeightMax(name)).optional().describe(SIGNAL_CATALOGUE[name].title),
      ]),
    ) as Record<SignalName, z.ZodOptional<z.ZodInt>>,
  )
  .describe(
    'Weights of its own; a signal that is left out keeps the weight of the release, and 0 turns it off',
  )
export type OwnWeights = z.infer<typeof OwnWeights>
