import type { OwnWeights, SignalName } from '@inkling/contract'
import { DEFAULT_RULES, type Rules, type RulesVersion } from './rules.ts'

/** A domain's own weights as they were saved. */
export interface OwnRules {
  version: RulesVersion
  weights: OwnWeights
}

/** The rules of the release with a domain's own weights in place of its own; undefined changes nothing. */
export function withOwnWeights(own: OwnRules | undefined): Rules {
  if (!own) return DEFAULT_RULES
  const names = Object.keys(DEFAULT_RULES.weights) as SignalName[]
  // By the release's names, so that what an earlier release knew and this one does not is left out.
  const weights = Object.fromEntries(
    names.map((name) => [name, own.weights[name] ?? DEFAULT_RULES.weights[name]]),
  ) as Record<SignalName, number>
  // Taking back more than was added would hide what else was found.
  for (const { by, flagOf } of DEFAULT_RULES.corrections) weights[by] = 0 - weights[flagOf]
  return { ...DEFAULT_RULES, version: own.version, weights }
}
