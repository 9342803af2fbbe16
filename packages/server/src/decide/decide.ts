import { type Band, DECISION_ACTIONS, type DecisionAction, type DecisionEffect } from '@inkling/contract'
import type { ListMatch } from '../visit/list-match.ts'
import type { DecisionFacts } from './decision-facts.ts'
import type { CompiledRule, RuleSet } from './rule-set.ts'

/** A rule that met, plain JSON. */
export interface MetRule {
  rule: number
  name: string
  version: number
  state: 'shadow' | 'on'
  effect: DecisionEffect
}

export interface Decision {
  action: DecisionAction
  /** Decision score: never the score of the visit. */
  points: number
  /** In plain words, the one that decided first. */
  reasons: string[]
  met: MetRule[]
  /** Rules that could not be evaluated, which counts as not met. */
  failed: { rule: number; name: string; version: number; state: 'shadow' | 'on'; message: string }[]
}

/**
 * What to do with a visit. Pure: the same rules and facts give the same decision. The deny list decides first, then the
 * allow list, then rules, and where none names an action the band of the score; the watch list asks for a review at least.
 */
export function decide(ruleSet: RuleSet, facts: DecisionFacts): Decision {
  const { met, failed } = evaluate(ruleSet, facts)
  const counting = met.filter(({ state }) => state === 'on')
  const { action, points, reasons } = byLists(facts.matches) ?? byRules(ruleSet, counting, facts)
  return { action, points, reasons, met: met.map(presentMet), failed }
}

type Verdict = Pick<Decision, 'action' | 'points' | 'reasons'>

const strength = (action: DecisionAction): number => DECISION_ACTIONS.indexOf(action)

/**
 * Shadow rules are evaluated as well, because their hits are counted. Rules are written for visits: of the marker of a
 * rate limit nothing is known but an address, and a rule that allows what nothing speaks against would let it in.
 */
function evaluate({ rules }: RuleSet, facts: DecisionFacts) {
  const met: CompiledRule[] = []
  const failed: Decision['failed'] = []
  if (facts.band === 'rate_limited') return { met, failed }
  for (const rule of rules) {
    if (rule.purposes && !rule.purposes.has(facts.purpose)) continue
    try {
      if (rule.meets(facts)) met.push(rule)
    } catch (error) {
      const { id, name, version, state } = rule
      failed.push({ rule: id, name, version, state, message: (error as Error).message })
    }
  }
  return { met, failed }
}

function byLists(matches: readonly ListMatch[]): Verdict | undefined {
  for (const list of ['deny', 'allow'] as const) {
    const entries = matches.filter((match) => match.list === list)
    if (entries.length > 0) return { action: list, points: 0, reasons: entries.map(presentEntry) }
  }
  return undefined
}

/** Where no rule names an action, so that a domain without rules lets nobody in whom its score speaks against. */
const BY_BAND: Record<Band, { action: DecisionAction; reason: string }> = {
  trusted: { action: 'allow', reason: 'No rule decides' },
  suspicious: { action: 'challenge', reason: 'No rule decides, and the score is suspicious' },
  dangerous: { action: 'deny', reason: 'No rule decides, and the score is dangerous' },
  rate_limited: { action: 'challenge', reason: 'The address sent too much' },
}

/**
 * The first rule that names an action decides, and where none does the band, unless points lead to a stronger action;
 * nothing is stronger than a rule that allows.
 */
function byRules(
  ruleSet: RuleSet,
  met: readonly CompiledRule[],
  { band, matches }: Pick<DecisionFacts, 'band' | 'matches'>,
): Verdict {
  const scored = pointsOf(met)
  const { points } = scored
  const deciding = met.find(({ effect }) => 'action' in effect)
  const named = deciding && 'action' in deciding.effect ? deciding.effect.action : undefined
  const reached = named === 'allow' ? undefined : reachedBy(points, ruleSet)
  const watched = matches.filter(({ list }) => list === 'watch').map(presentEntry)

  const byPoints = reached !== undefined && strength(reached.action) > strength(named ?? BY_BAND[band].action)
  const verdict: Verdict = byPoints
    ? { action: reached.action, points, reasons: [presentPoints(points, reached), ...scored.reasons] }
    : deciding && named
      ? { action: named, points, reasons: [presentRule(deciding)] }
      : { action: BY_BAND[band].action, points, reasons: [BY_BAND[band].reason, ...scored.reasons] }
  if (watched.length > 0 && verdict.action === 'allow')
    return { action: 'review', points, reasons: [...watched, ...verdict.reasons] }
  return { ...verdict, reasons: [...verdict.reasons, ...watched] }
}

function pointsOf(met: readonly CompiledRule[]): { points: number; reasons: string[] } {
  let points = 0
  const reasons: string[] = []
  for (const rule of met) {
    if (!('points' in rule.effect)) continue
    // What has passed the cap by other rules stays.
    const after = Math.max(points, Math.min(points + rule.effect.points, rule.effect.cap))
    if (after > points) reasons.push(`${presentRule(rule)}: ${after - points} points`)
    points = after
  }
  return { points, reasons }
}

interface Reached {
  action: DecisionAction
  from: number
}

function reachedBy(points: number, { thresholds }: RuleSet): Reached | undefined {
  for (const action of ['deny', 'challenge', 'review'] as const) {
    const from = thresholds[action]
    if (from !== null && points >= from) return { action, from }
  }
  return undefined
}

const presentMet = ({ id, name, version, state, effect }: CompiledRule): MetRule => ({
  rule: id,
  name,
  version,
  state,
  effect,
})

const presentRule = ({ name }: CompiledRule): string => `Rule “${name}” was met`

const presentPoints = (points: number, { action, from }: Reached): string =>
  `The decision score of ${points} leads to ${action}, which starts at ${from}`

const presentEntry = ({ list, kind, value, reason }: ListMatch): string =>
  `The ${list} list has the ${kind.replaceAll('_', ' ')} ${value}${reason === '' ? '' : `: ${reason}`}`
