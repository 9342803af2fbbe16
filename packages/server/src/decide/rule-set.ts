import {
  DECISION_ACTIONS,
  type DecisionEffect,
  type DecisionPurpose,
  type DecisionThresholds,
} from '@inkling/contract'
import { growingCache } from '../lib/growing-cache.ts'
import type { DecisionRule, DecisionRules } from '../store/decision-rules/decision-rules.ts'
import { type CompiledCondition, compileCondition } from './compile-condition.ts'
import type { DecisionFacts } from './decision-facts.ts'

/** A rule whose condition was compiled. */
export interface CompiledRule {
  id: number
  name: string
  version: number
  state: 'shadow' | 'on'
  priority: number
  effect: DecisionEffect
  /** Undefined for all. */
  purposes: ReadonlySet<DecisionPurpose> | undefined
  /** @throws Error with a text for people where it cannot be evaluated */
  meets(facts: DecisionFacts): boolean
}

export interface RuleSet {
  /** In the order in which they decide, without those that are off. */
  rules: readonly CompiledRule[]
  thresholds: DecisionThresholds
}

const SETS = new WeakMap<DecisionRules, RuleSet>()

/** The rules ready for decisions. They are compiled once for as long as the directory keeps them. */
export function ruleSetOf(rules: DecisionRules): RuleSet {
  const known = SETS.get(rules)
  if (known) return known
  const set = compileRules(rules)
  SETS.set(rules, set)
  return set
}

/** By their text: any change of any domain makes servers read all rules again, and hardly any of them is new. */
const CONDITIONS = growingCache<string, CompiledCondition>(2_000)

function compiledCondition(condition: string): CompiledCondition {
  const known = CONDITIONS.get(condition)
  if (known) return known
  const compiled = compileCondition(condition)
  CONDITIONS.set(condition, compiled)
  return compiled
}

const compileRules = ({ rules, thresholds }: DecisionRules): RuleSet => ({
  rules: rules.flatMap(compileRule).sort(inOrder),
  thresholds,
})

function compileRule({
  id,
  name,
  version,
  state,
  priority,
  effect,
  purposes,
  condition,
}: DecisionRule): CompiledRule[] {
  if (state === 'off') return []
  const compiled = compiledCondition(condition)
  return [
    {
      ...{ id, name, version, state, priority, effect },
      purposes: purposes ? new Set(purposes) : undefined,
      meets: compiled.valid ? compiled.meets : refusing(compiled),
    },
  ]
}

/** A later release may refuse what an earlier one saved: the rule fails, and all others decide. */
function refusing({ problem }: Extract<CompiledCondition, { valid: false }>): CompiledRule['meets'] {
  return () => {
    throw new Error(`${problem.message} (line ${problem.line}, column ${problem.column})`)
  }
}

/** By priority, then the stronger action, then the older rule. */
const inOrder = (a: CompiledRule, b: CompiledRule): number =>
  b.priority - a.priority || strengthOf(b) - strengthOf(a) || ageOrder(a) - ageOrder(b)

/** A rule that was never saved has the number 0, and would be the newest. */
const ageOrder = ({ id }: CompiledRule): number => id || Number.MAX_SAFE_INTEGER

const strengthOf = ({ effect }: CompiledRule): number =>
  'action' in effect ? DECISION_ACTIONS.indexOf(effect.action) : -1
