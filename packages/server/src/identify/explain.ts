import type { DecisionOutcome, IdentityDecision } from '../visit/identification.ts'
import type { KeyMatch } from '../visit/known-device.ts'
import { agrees, type Comparison } from './compare.ts'
import { COMPONENTS, type ComponentName, type Components } from './components.ts'
import { type Keys, kindIndex } from './keys.ts'

interface Reasons {
  outcome: DecisionOutcome
  /** From 0 to 1. */
  confidence: number
  components: Components
  /** With the device that was chosen, or else the likeliest one; undefined when there was none. */
  comparison: Comparison | undefined
  keys: Keys
  matches: ReadonlyMap<number, KeyMatch>
  candidates: number
  hardwareFlips: readonly ComponentName[]
  merged: string | undefined
}

/** Why a visit got its device: what agreed and how rare that is, what changed, what could not be compared. */
export function explain(reasons: Reasons): IdentityDecision {
  const { components, comparison, keys, matches } = reasons
  const names = Object.keys(COMPONENTS) as ComponentName[]
  const changes = comparison?.changes ?? {}
  const count = (key: number | undefined) => (key === undefined ? 0 : (matches.get(key)?.devices ?? 0))
  const machine = keys.listed.get(kindIndex(keys.absent, 'none') ?? -1)
  return {
    outcome: reasons.outcome,
    confidence: Math.round(reasons.confidence * 1_000) / 1_000,
    agreed: names.filter((name) => agrees(changes[name] ?? 'absent')),
    changed: names.filter((name) => changes[name] === 'changed'),
    absent: names.filter((name) => components.values[name] === undefined),
    clones: count(machine),
    devices: count(keys.counted.family),
    candidates: reasons.candidates,
    hardwareFlips: [...reasons.hardwareFlips],
    merged: reasons.merged,
  }
}
