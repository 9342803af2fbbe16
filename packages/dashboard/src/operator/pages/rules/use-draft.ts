import type { OwnWeights, SignalName } from '@inkling/contract'
import type { DomainRules, SignalRule } from '@inkling/contract/account'
import { useState } from 'react'

/** Weights as they stand in the inputs; an input that is being emptied has no number. */
export interface Draft {
  of(signal: SignalRule): number | ''
  set(name: string, weight: number | ''): void
  setAll(weights: OwnWeights): void
  reset(): void
  /** Whether anything is other than what scores visits now. */
  isChanged: boolean
  /** What would be saved; undefined while an input is empty. */
  weights: OwnWeights | undefined
}

/** A draft over the weights that score visits now. */
export function useDraft({ signals }: DomainRules): Draft {
  const [changes, setChanges] = useState<Record<string, number | ''>>({})
  const of = ({ name, weight }: SignalRule): number | '' => changes[name] ?? weight
  return {
    of,
    set: (name, weight) => setChanges((known) => ({ ...known, [name]: weight })),
    setAll: (weights) =>
      setChanges(
        Object.fromEntries(
          signals.map(({ name, release_weight }) => [name, weights[name as SignalName] ?? release_weight]),
        ),
      ),
    reset: () => setChanges({}),
    isChanged: tunable(signals).some((signal) => of(signal) !== signal.weight),
    weights: weightsOf(tunable(signals), of),
  }
}

const tunable = (signals: readonly SignalRule[]): SignalRule[] => signals.filter(({ max }) => max !== null)

/** Those that differ from the release's. */
function weightsOf(signals: readonly SignalRule[], of: Draft['of']): OwnWeights | undefined {
  const weights: Record<string, number> = {}
  for (const signal of signals) {
    const weight = of(signal)
    if (weight === '') return undefined
    if (weight !== signal.release_weight) weights[signal.name] = weight
  }
  return weights
}
