import type { DecisionAction, DecisionEffect, DecisionPurpose } from '@inkling/contract'
import type { DecisionRuleVersion } from '@inkling/contract/account'

/** A rule in the form, which may not be saved yet. Its state is not part of it: that changes on its own. */
export interface DraftRule {
  name: string
  condition: string
  /** `points` where it adds to the decision score. */
  does: DecisionAction | 'points'
  points: number | ''
  cap: number | ''
  priority: number | ''
  /** None for everything. */
  purposes: DecisionPurpose[]
}

type RuleText = Pick<DecisionRuleVersion, 'name' | 'condition' | 'effect' | 'priority' | 'purposes'>

export const EMPTY_DRAFT: DraftRule = {
  name: '',
  condition: '',
  does: 'challenge',
  points: 20,
  cap: 100,
  priority: 0,
  purposes: [],
}

export function draftOf({ name, condition, effect, priority, purposes }: RuleText): DraftRule {
  const does = 'action' in effect ? effect.action : 'points'
  const { points, cap } = 'points' in effect ? effect : EMPTY_DRAFT
  return { name, condition, does, points, cap, priority, purposes: purposes ?? [] }
}

/** As it would be saved; undefined while something is missing. */
export function ruleTextOf(draft: DraftRule): RuleText | undefined {
  const effect = effectOf(draft)
  const [name, condition] = [draft.name.trim(), draft.condition.trim()]
  if (!effect || name === '' || condition === '' || draft.priority === '') return undefined
  const purposes = draft.purposes.length === 0 ? null : draft.purposes
  return { name, condition, effect, priority: draft.priority, purposes }
}

function effectOf({ does, points, cap }: DraftRule): DecisionEffect | undefined {
  if (does !== 'points') return { action: does }
  return isPoints(points) && isPoints(cap) ? { points, cap } : undefined
}

const isPoints = (points: number | ''): points is number => points !== '' && points >= 1 && points <= 100

export const sameText = (one: RuleText | undefined, other: RuleText | undefined): boolean =>
  JSON.stringify(one && partsOf(one)) === JSON.stringify(other && partsOf(other))

const partsOf = ({ name, condition, effect, priority, purposes }: RuleText) => [
  name,
  condition,
  'action' in effect ? effect.action : [effect.points, effect.cap],
  priority,
  purposes,
]
