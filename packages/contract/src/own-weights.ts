import { z } from 'zod'
import { BANDS } from './bands.ts'
import { SIGNAL_CATALOGUE, type SignalName } from './signals.ts'

/** The greatest weight of a signal, since no score is higher. */
const WEIGHT_MAX = BANDS.dangerous.to
/** The greatest weight with which a signal alone does not make a visit suspicious. */
const MINOR_MAX = BANDS.trusted.to

const NAMES = Object.keys(SIGNAL_CATALOGUE) as SignalName[]

/** Signals whose weight a domain may choose. The weight of a correction follows from the signal it corrects. */
export const TUNABLE_SIGNALS = NAMES.filter((name) => SIGNAL_CATALOGUE[name].weight >= 0) as [
  SignalName,
  ...SignalName[],
]

/**
 * The greatest weight that a domain can set. A signal that the release keeps below the suspicious band has too
 * many innocent causes to be raised above it.
 */
export const ownWeightMax = (name: SignalName): number =>
  SIGNAL_CATALOGUE[name].weight > MINOR_MAX ? WEIGHT_MAX : MINOR_MAX

/** The weights that a domain chose. A signal without one keeps the release's; 0 turns it off. */
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
    'The weights that a domain chose. A signal without one keeps the weight of the release; 0 turns it off',
  )
export type OwnWeights = z.infer<typeof OwnWeights>
