import type { DecisionAction, DecisionPurpose } from '@inkling/contract'
import type { DecisionFacts } from './decision-facts.ts'

/** Adds to the decision score instead of naming an action. `cap` bounds what it adds in total. */
export interface PointsEffect {
  points: number
}

export type RuleEffect = { action: DecisionAction } | PointsEffect

/** A rule whose condition was compiled. */
export interface CompiledRule {
  id: string
  name: string
  version: number
  state: 'shadow' | 'on'
  priority: number
  effect: RuleEffect
  /** Undefined for all. */
  purposes: ReadonlySet<DecisionPurpose> | undefined
  /** @throws Error with a text for people where it cannot be evaluated */
  meets(facts: DecisionFacts): boolean
}

export interface RuleSet {
  /** Highest priority first, without those that are off. */
  rules: readonly CompiledRule[]
  /** The least points for an action; undefined where points never lead to it. */
  thresholds: Partial<Record<Exclude<DecisionAction, 'allow'>, number>>
}

/** A rule that met, plain JSON. */
export interface MetRule {
  rule: string
  name: string
  version: number
  state: 'shadow' | 'on'
  effect: RuleEffect
}

export interface Decision {
  action: DecisionAction
  /** Decision score: never the score of the visit. */
  points: number
  /** In plain words, the one that decided first. */
  reasons: string[]
  met: MetRule[]
  /** Rules that could not be evaluated, which counts as not met. */
  failed: { rule: string; name: string; version: number; message: string }[]
}

/** Pure: the same rules and facts give the same decision. */
export function decide(ruleSet: RuleSet, facts: DecisionFacts): Decision {
  void ruleSet
  void facts
  return { action: 'allow', points: 0, reasons: [], met: [], failed: [] }
}
