import type { OwnWeights, SignalName } from '@inkling/contract'
import type { DomainRules, SignalRule } from '@inkling/contract/account'
import { useState } from 'react'

/** The weights in the inputs, which may not be saved yet. An empty input has no number. */
export interface Draft {
  of(signal: SignalRule): number | ''
  set(name: string, weight: number | ''): void
  setAll(weights: OwnWeights): void
  reset(): void
  /** Whether any weight differs from those in use. */
  isChanged: boolean
  /** What would be saved: the weights that differ from the release. Undefined while an input has no valid weight. */
  weights: OwnWeights | undefined
}

/** Starts from the weights in use. */
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

function weightsOf(signals: readonly SignalRule[], of: Draft['of']): OwnWeights | undefined {
  const weights: Record<string, number> = {}
  for (const signal of signals) {
    const weight = of(signal)
    if (weight === '' || weight > (signal.max ?? weight)) return undefined
    if (weight !== signal.release_weight) weights[signal.name] = weight
  }
  return weights
}

/** Whether both sets change the same signals to the same weights. */
export function sameWeights(one: OwnWeights, other: OwnWeights | undefined): boolean {
  if (!other) return false
  const names = [...Object.keys(one), ...Object.keys(other)] as SignalName[]
  return names.every((name) => one[name] === other[name])
}
